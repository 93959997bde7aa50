import { QUERY_VECTORS_KEPT } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Embedder } from '../../ports/driven/embedder.js';

/** A run of the model. */
interface Run {
  readonly vector: Promise<Vector>;
  readonly stop: AbortController;
  /** How many have asked for it and not given up. */
  waiting: number;
}

/**
 * An embedder that embeds a query once for all who ask for it at the same time, until the last of them gives up, and
 * remembers the vectors of the queries that were asked for last. These vectors must not be changed.
 */
export function rememberingQueries(embedder: Embedder): Embedder {
  /** By text; the least recently used first. */
  const runs = new Map<string, Run>();
  const forget = (text: string, run: Run) => runs.get(text) === run && runs.delete(text);
  const begin = (text: string): Run => {
    const stop = new AbortController();
    const run = { vector: embedder.embed(text, stop.signal), stop, waiting: 0 };
    run.vector.catch(() => forget(text, run));
    return run;
  };
  const embed = (text: string, signal?: AbortSignal): Promise<Vector> => {
    const run = runs.get(text) ?? begin(text);
    runs.delete(text);
    runs.set(text, run);
    const [oldest = ''] = runs.keys();
    if (runs.size > QUERY_VECTORS_KEPT) runs.delete(oldest);
    run.waiting += 1;
    const giveUp = () => {
      run.waiting -= 1;
      if (run.waiting > 0) return;
      forget(text, run);
      run.stop.abort();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    return run.vector.finally(() => signal?.removeEventListener('abort', giveUp));
  };
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    isReady: () => embedder.isReady(),
    status: () => embedder.status(),
    load: (which) => embedder.load(which),
    embed,
    embedBatch: (texts) => embedder.embedBatch(texts),
    close: () => embedder.close(),
  };
}
