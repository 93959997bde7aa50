import { KnowledgeError } from '../../domain/errors.js';
import type { ReplaceOptions } from '../../ports/driven/chunk-repository.js';
import type { Watching } from '../../ports/driving/ingestion-service.js';

/** Whether chunks that an unchanged file has lost to pruning are restored, and who watches. */
export interface IngestionOptions extends ReplaceOptions, Watching {}

/**
 * A function that is called before each of `total` steps of an ingestion.
 * @throws KnowledgeError `store_unavailable` once the caller does not want the rest any more
 */
export function stepsOf(total: number, { onProgress, signal }: Watching): () => void {
  let done = 0;
  return () => {
    if (signal?.aborted) {
      throw new KnowledgeError('store_unavailable', 'The ingestion was cancelled.');
    }
    onProgress?.({ done, total });
    done += 1;
  };
}
