import { ModelCallError } from '../domain/errors.js';
import type { Clock } from '../ports/clock.js';
import type { MeasuredEmbedding, Metrics, ModelTask } from '../ports/metrics.js';

/** Dependencies of a measured model call. */
export interface Measuring {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Runs one call of the small language model. Reports its outcome and duration to the metrics. */
export async function measureTask<T>(
  { metrics, clock }: Measuring,
  task: ModelTask,
  call: () => Promise<T>,
): Promise<T> {
  const begin = clock.monotonic();
  const seconds = () => (clock.monotonic() - begin) / 1000;
  try {
    const result = await call();
    metrics.modelCalled({ task, outcome: 'succeeded', seconds: seconds() });
    return result;
  } catch (error) {
    const outcome = error instanceof ModelCallError ? error.failure : 'unusable';
    metrics.modelCalled({ task, outcome, seconds: seconds() });
    throw error;
  }
}

/** Runs one call of the embedder. Reports its duration to the metrics, unless it fails. */
export async function measureEmbedding<T>(
  { metrics, clock }: Measuring,
  call: Omit<MeasuredEmbedding, 'seconds'>,
  embed: () => Promise<T>,
): Promise<T> {
  const begin = clock.monotonic();
  metrics.embeddingWaits('begins');
  const vectors = await embed().finally(() => metrics.embeddingWaits('ends'));
  metrics.embedded({ ...call, seconds: (clock.monotonic() - begin) / 1000 });
  return vectors;
}
