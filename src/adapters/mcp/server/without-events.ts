import { isRecord } from '../../../domain/records.js';

/** Whether a client that names JSON names no events: such a client cannot read a stream. */
export function readsJsonOnly(accepted: string | null): boolean {
  return accepted !== null && /application\/json/i.test(accepted) && !EVENTS.test(accepted);
}

const EVENTS = /text\/(?:event-stream|\*)|\*\/\*/i;

/** A response whose stream of events becomes the one answer in it, as JSON. Any other response stays as it is. */
export async function withoutEvents(response: Response): Promise<Response> {
  const { body, headers, status } = response;
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) {
    return response;
  }
  const answer = await firstAnswer(body);
  return new Response(answer, {
    status,
    headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
  });
}

/** The data of the first event that has an id of JSON-RPC, and so is no notification; empty if there is none. */
async function firstAnswer(body: ReadableStream<Uint8Array>): Promise<string> {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    const answer = lines.find((line) => line.startsWith('data:') && hasId(line.slice(5)));
    if (answer !== undefined) return answer.slice(5).trim();
  }
  return '';
}

function hasId(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) && 'id' in message;
  } catch {
    return false;
  }
}
