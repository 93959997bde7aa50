/** A response that was read completely. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Tests check its shape themselves. */
  // biome-ignore lint/suspicious/noExplicitAny: a black box may return anything
  readonly body: any;
}

/** A running service, in this process or another. */
export class ServiceAtUrl {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async request(path: string, init?: RequestInit): Promise<HttpAnswer> {
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  get(path: string, headers: RequestHeaders = {}): Promise<HttpAnswer> {
    return this.request(path, { headers });
  }

  post(path: string, body: unknown, headers: RequestHeaders = {}): Promise<HttpAnswer> {
    return this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}

type RequestHeaders = Readonly<Record<string, string>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
