import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import type { hybridRoutes } from '../../src/app/routes/hybrid-api.js';
import { storedToken } from './token.js';

/** The types of each route, as the service itself declares them. */
type Operation = NonNullable<(typeof hybridRoutes)[number]['types']>;
type OperationNamed<Name> = Extract<Operation, { readonly name: Name }>;

/** The fields of a search request, the same for every search route. */
export type SearchInput = Fields<'POST /api/knowledge/x/search'>;

/** The fields of a request. Enumerated values are plain strings here; the service checks them. */
export type Fields<Name extends Operation['name']> = Unchecked<OperationNamed<Name>['request']>;
type Unchecked<T> = {
  readonly [Key in keyof T]: T[Key] extends string | undefined ? string : T[Key];
};

export type Answer<Name extends Operation['name']> = OperationNamed<Name>['response'];

/** A response other than 2xx, or none at all (status 0). */
export class ApiError extends Error {
  readonly status: number;
  /** Absent if there was no response. */
  readonly code: string | undefined;

  constructor(status: number, sentence: string, code?: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

/** Whether the service refused a request with this code. */
export function isRefused(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/**
 * Calls a route of the service that served this page.
 * @throws ApiError with a message for people
 */
export async function call<Name extends Operation['name']>(
  name: Name,
  fields: Fields<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const [method = '', path = ''] = name.split(' ');
  return (await answerTo(requestOf(method, path, { ...fields }), signal)) as Answer<Name>;
}

/** The description of the API of this service. */
export async function loadDocument(signal: AbortSignal): Promise<OpenApiDocument> {
  return (await answerTo(requestOf('GET', '/openapi.json', {}), signal)) as OpenApiDocument;
}

async function answerTo({ url, init }: ReturnType<typeof requestOf>, signal?: AbortSignal) {
  const response = await send(url, { ...init, ...(signal && { signal }) });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body as unknown;
  const sentence = typeof body.error === 'string' ? body.error : `HTTP ${response.status}`;
  throw new ApiError(response.status, sentence, body.code);
}

function requestOf(method: string, path: string, fields: Record<string, unknown>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => {
    const value = encodeURIComponent(String(fields[field]));
    delete fields[field];
    return value;
  });
  const token = storedToken();
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(hasBody(method) && { 'Content-Type': 'application/json' }),
  };
  const url = new URL(`.${filled}`, document.baseURI);
  if (hasBody(method)) return { url, init: { method, headers, body: JSON.stringify(fields) } };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) url.searchParams.set(field, String(value));
  }
  return { url, init: { method, headers } };
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, 'The service does not answer. Is it still running?');
  }
}
