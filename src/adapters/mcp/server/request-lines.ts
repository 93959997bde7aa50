import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { isRecord } from '../../../domain/records.js';

/** Tells the client that a request is not valid. */
type Refuse = (id: unknown, message: string) => void;

/**
 * The messages of a client, one per line, as the SDK reads them. `null` in place of optional parts of a request counts as
 * absent. What the SDK would drop without an answer is refused with the id of the request.
 */
export function requestLines(input: Readable, refuse: Refuse): Readable {
  return Readable.from(readLines(input, refuse));
}

async function* readLines(input: Readable, refuse: Refuse): AsyncGenerator<Buffer> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message = line.trim() === '' ? undefined : readable(line, refuse);
    if (message !== undefined) yield Buffer.from(`${message}\n`);
  }
}

function readable(line: string, refuse: Refuse): string | undefined {
  const message = parsed(line);
  if (Array.isArray(message)) {
    const requests = message.filter((one) => isRecord(one) && 'id' in one);
    for (const { id } of requests)
      refuse(id, 'Batches are not served: send one request at a time.');
    return undefined;
  }
  if (!isRecord(message) || !('method' in message) || !('id' in message)) return line;
  const request = withoutNulls(message);
  if (isJSONRPCRequest(request)) return JSON.stringify(request);
  refuse(message['id'], 'The request is not valid JSON-RPC 2.0.');
  return undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function withoutNulls({ params, ...request }: Readonly<Record<string, unknown>>) {
  if (!isRecord(params))
    return params === null || params === undefined ? request : { ...request, params };
  const given = Object.entries(params).filter(
    ([name, value]) => value !== null || (name !== '_meta' && name !== 'arguments'),
  );
  return { ...request, params: Object.fromEntries(given) };
}
