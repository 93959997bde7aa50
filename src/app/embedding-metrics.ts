import type { Clock } from '../ports/clock.js';
import type { Metrics } from '../ports/metrics.js';

/** Runs one call of the embedder and reports how long it took; a call that fails is not reported. */
export async function measuredEmbedding<T>(
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Pick<Clock, 'monotonic'> },
  call: { readonly kind: 'query' | 'batch'; readonly texts: number },
  embed: () => Promise<T>,
): Promise<T> {
  const begin = clock.monotonic();
  metrics.embeddingWaits('begins');
  const vectors = await embed().finally(() => metrics.embeddingWaits('ends'));
  metrics.embedded({ ...call, seconds: (clock.monotonic() - begin) / 1000 });
  return vectors;
}
