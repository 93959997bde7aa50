import type { EmbeddingModel } from '../../src/ports/embedder.js';
import { type BenchProject, type Filling, fillProject } from './bench-project.js';
import type { Collection } from './collection.js';
import { measure } from './measure.js';
import { MODES, type Mode, type ModeName } from './modes.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { type ModeReport, type SetReport, summarize } from './summary.js';

interface SetRunOptions extends Filling {
  readonly modes: readonly ModeName[];
  readonly model: 'recorded' | 'real';
  /** Called before each mode. */
  readonly onMode?: (mode: ModeName) => void;
}

/** Embedding more documents than this in WebAssembly would take too long. */
const MOST_DOCUMENTS_TO_EMBED = 1500;

/** Measures a set in every mode that it supports. */
export async function runSet(collection: Collection, options: SetRunOptions): Promise<SetReport> {
  const modes = options.modes.filter((mode) => isPossible(collection, MODES[mode], options.model));
  const project = await fillProject(collection, options);
  try {
    const { name, fingerprint, documents, queries } = collection;
    return {
      name,
      fingerprint,
      documents: documents.length,
      judged: queries.filter(({ relevant }) => relevant.size > 0).length,
      modes: await runModes(collection, project, { ...options, modes }),
    };
  } finally {
    project.remove();
  }
}

async function runModes(
  collection: Collection,
  project: BenchProject,
  { modes, model, onMode }: SetRunOptions,
): Promise<readonly ModeReport[]> {
  const reports: ModeReport[] = [];
  for (const name of modes) {
    const mode: Mode = MODES[name];
    onMode?.(name);
    const embedder = await embedderFor(mode, collection, model);
    const results = await measure(collection, project, { mode, embedder, model });
    reports.push(summarize(name, results));
  }
  return reports;
}

async function embedderFor(
  mode: Mode,
  collection: Collection,
  model: SetRunOptions['model'],
): Promise<EmbeddingModel | undefined> {
  if (mode.model === 'none') return undefined;
  return model === 'real' ? loadRealEmbedder() : new RecordedEmbedder(MODEL, collection.queries);
}

/** Whether a set has the vectors that a mode needs, or the model can compute them in reasonable time. */
function isPossible(
  { documents, queries }: Collection,
  mode: Mode,
  model: SetRunOptions['model'],
): boolean {
  if (mode.model === 'none') return true;
  const isRecorded = documents.some(({ vector }) => vector !== undefined);
  const hasQueries = model === 'real' || queries.every(({ vector }) => vector !== undefined);
  const isSmall = model === 'real' && documents.length <= MOST_DOCUMENTS_TO_EMBED;
  return (isRecorded && hasQueries) || isSmall;
}
