import type { ServedOperations } from '../../adapters/cli/command-line-parts.js';

interface Served {
  /** Whether the operation may be repeated if its answer was lost; `by route`: depends on the route. */
  readonly repeats: 'safely' | 'never' | 'by route';
  /** Whether the operation takes a second argument, a callback or signal, which is not sent. */
  readonly watched: 'yes' | 'no';
}

/** The operations that the local service runs for commands. */
export const SERVED: Readonly<Record<keyof ServedOperations, Served>> = {
  call: { repeats: 'by route', watched: 'no' },
  beginIndexing: { repeats: 'safely', watched: 'no' },
  ingest: { repeats: 'never', watched: 'yes' },
  rebuild: { repeats: 'never', watched: 'yes' },
  findLines: { repeats: 'safely', watched: 'no' },
  skipped: { repeats: 'safely', watched: 'no' },
  loadModel: { repeats: 'safely', watched: 'no' },
  modelStatus: { repeats: 'safely', watched: 'no' },
  makeVectors: { repeats: 'safely', watched: 'yes' },
  knownForPrompt: { repeats: 'never', watched: 'yes' },
  askInEveryWay: { repeats: 'safely', watched: 'no' },
};
