import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that the endpoint received. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON body: model, temperature, messages, and possibly response_format. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The text of the user message. */
  readonly prompt: string;
  /** The text between the data tags of the prompt; empty if it has none. */
  readonly data: string;
}

/** Writes the reply to a request. See `model-endpoint-replies.ts` for the usual ones. */
export type Reply = (response: ServerResponse, request: ModelRequest) => void | Promise<void>;

/** A server on loopback that speaks the OpenAI protocol and sends the replies it is given. */
export interface ModelEndpoint {
  /** Value for `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** All requests so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Sets the reply to all further requests. */
  answerWith(reply: Reply): void;
  /** Also ends hanging replies. Afterwards `baseUrl` refuses connections. Idempotent. */
  close(): Promise<void>;
}

export async function startModelEndpoint(firstReply: Reply): Promise<ModelEndpoint> {
  const requests: ModelRequest[] = [];
  let reply = firstReply;
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    await reply(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    answerWith(next) {
      reply = next;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Starts an endpoint that is closed when the test ends. */
export async function endpointOfTest(firstReply: Reply): Promise<ModelEndpoint> {
  const endpoint = await startModelEndpoint(firstReply);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

async function readRequest(incoming: IncomingMessage): Promise<ModelRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  const body = text === '' ? {} : (JSON.parse(text) as ChatBody);
  const prompt = body.messages?.[0]?.content ?? '';
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body: { ...body }, prompt, data: dataOf(prompt) };
}

interface ChatBody {
  readonly messages?: readonly { readonly content?: string }[];
}

function dataOf(prompt: string): string {
  return /<(data-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>$/.exec(prompt)?.[2] ?? '';
}
