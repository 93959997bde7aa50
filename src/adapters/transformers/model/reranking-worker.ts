/** Entry point of a worker thread: loads the cross-encoder named in `workerData`, then scores documents. */
import { register } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorReason } from '../../../domain/errors.js';
import type { RerankQuery } from '../../../ports/reranker.js';
import type { CrossEncoder } from './cross-encoder.js';
import type { NetworkPlace } from './loaded-network.js';

export interface RerankRequest extends RerankQuery {
  /** Identifies the request among those of a thread. */
  readonly number: number;
}

export type RerankReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'scores'; readonly number: number; readonly scores: readonly number[] };

/** Cancels the request with this number, which then gets no reply. */
export interface CancelRequest {
  readonly cancel: number;
}

const TRIAL: RerankQuery = { query: 'a question', documents: ['an answer'] };

if (parentPort !== null) await serve(parentPort, workerData);

async function serve(port: MessagePort, place: NetworkPlace): Promise<void> {
  const send = (reply: RerankReply): void => port.postMessage(reply);
  const cancelled = new Set<number>();
  try {
    const model = await load(place);
    await scoreDocuments(model, TRIAL, async () => false);
    send({ kind: 'loaded' });
    let done = Promise.resolve();
    port.on('message', (request: RerankRequest | CancelRequest) => {
      if ('cancel' in request) cancelled.add(request.cancel);
      else done = done.then(() => answer(model, request)).catch(fail);
    });
  } catch (error) {
    fail(error);
  }

  async function answer(model: CrossEncoder, request: RerankRequest): Promise<void> {
    const { number } = request;
    const isOver = async () => {
      // Gives a cancel message a chance to arrive.
      await turn();
      return cancelled.has(number);
    };
    const scores = await scoreDocuments(model, request, isOver);
    if (!cancelled.delete(number)) send({ kind: 'scores', number, scores });
  }

  function fail(error: unknown): void {
    send({ kind: 'failed', reason: errorReason(error) });
    port.close();
  }
}

async function scoreDocuments(
  model: CrossEncoder,
  { query, documents }: RerankQuery,
  isOver: () => Promise<boolean>,
): Promise<readonly number[]> {
  const scores: number[] = [];
  for (const document of documents) {
    scores.push(await model.score(query, document, isOver));
  }
  return scores;
}

async function load(place: NetworkPlace): Promise<CrossEncoder> {
  register('./native-module-replacements.js', import.meta.url);
  // Imported here, because the module hook only affects later imports.
  const { CrossEncoder: Model } = await import('./cross-encoder.js');
  return Model.load(place);
}
