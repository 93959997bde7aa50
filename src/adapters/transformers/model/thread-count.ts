import { availableParallelism, totalmem } from 'node:os';

/** A machine, or the part of it that this process may use. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/**
 * How many threads embed in the background: one per core but one, at most 4, as long as their models take
 * no more than a quarter of the memory. A core is kept free for queries, which would otherwise wait for
 * longer than a search does while a further thread loads its model.
 */
export function backgroundThreads({ cores, memoryBytes }: Machine = thisMachine()): number {
  const fitting = Math.floor(memoryBytes / 4 / BYTES_PER_THREAD);
  return Math.max(1, Math.min(cores - 1, fitting, THREADS_MAX));
}

const THREADS_MAX = 4;
/** Measured with the default model: 160 to 185 MB (docs/operations.md, "Threads"). */
const BYTES_PER_THREAD = 190 * 2 ** 20;

function thisMachine(): Machine {
  const limit = process.constrainedMemory() ?? 0;
  const total = totalmem();
  return {
    cores: availableParallelism(),
    memoryBytes: limit > 0 ? Math.min(limit, total) : total,
  };
}
