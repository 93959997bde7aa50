import type { Embedder } from '../../src/ports/driven/embedder.js';
import type { ProjectSettings } from './bench-project.js';
import { type BenchProject, type Column, fillProject } from './bench-project.js';
import type { Collection } from './collection.js';
import type { Importance } from './foreign-database.js';
import { measure } from './measure.js';
import { MODES, type Mode, type ModeName } from './modes.js';
import type { PostgresTarget } from './postgres-project.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { type Measured, type SetReport, summarize } from './summary.js';

export interface SetRunOptions {
  readonly modes: readonly ModeName[];
  readonly columns: readonly Column[];
  readonly model: 'recorded' | 'real';
  readonly settings?: ProjectSettings;
  readonly importance?: Importance | undefined;
  readonly postgres?: PostgresTarget | undefined;
  /** Called before each mode. */
  readonly onMode?: (column: Column, mode: ModeName) => void;
}

/** With more documents than this, embedding them in WebAssembly would take too long. */
export const MOST_DOCUMENTS_TO_EMBED = 1500;

/** Measures one set in every mode that it supports. */
export async function runSet(collection: Collection, options: SetRunOptions): Promise<SetReport> {
  const { settings = {}, importance, postgres } = options;
  const measured: Measured[] = [];
  for (const column of options.columns) {
    for (const questions of ['none', 'given'] as const) {
      const modes = options.modes.filter(
        (mode) =>
          MODES[mode].questions === questions &&
          isPossible(collection, { column, mode: MODES[mode], model: options.model }),
      );
      if (modes.length === 0) continue;
      const filling = { column, questions, settings, importance, postgres };
      const project = await fillProject(collection, filling);
      try {
        measured.push(...(await runModes(collection, project, { ...options, column, modes })));
      } finally {
        project.remove();
      }
    }
  }
  const { name, fingerprint, documents, queries } = collection;
  return {
    name,
    fingerprint,
    documents: documents.length,
    judged: queries.filter(({ relevant }) => relevant.size > 0).length,
    modes: summarize(measured),
  };
}

async function runModes(
  collection: Collection,
  project: BenchProject,
  options: SetRunOptions & { readonly column: Column },
): Promise<readonly Measured[]> {
  const { column, onMode } = options;
  const measured: Measured[] = [];
  for (const name of options.modes) {
    const mode: Mode = MODES[name];
    onMode?.(column, name);
    const embedder = await embedderFor(mode, collection, options.model);
    const results = await measure(collection, project, {
      mode,
      embedder,
      model: options.model,
    });
    measured.push({ column, mode: name, usesVectors: mode.model === 'vectors', results });
  }
  return measured;
}

async function embedderFor(
  mode: Mode,
  collection: Collection,
  model: SetRunOptions['model'],
): Promise<Embedder | undefined> {
  if (mode.model === 'none') return undefined;
  return model === 'real' ? loadRealEmbedder() : new RecordedEmbedder(MODEL, collection.queries);
}

/** Whether a set has the vectors and questions that a mode needs, or a model can make them in a reasonable time. */
function isPossible(
  { documents, queries }: Collection,
  { column, mode, model }: { readonly column: Column; readonly mode: Mode; readonly model: string },
): boolean {
  if (mode.model === 'none') return true;
  const isSmall = model === 'real' && documents.length <= MOST_DOCUMENTS_TO_EMBED;
  if (column === 'chunker') return isSmall && mode.questions === 'none';
  const asked = documents.flatMap(({ questions }) => questions ?? []);
  if (mode.questions === 'given' && asked.length === 0) return false;
  const isRecorded =
    documents.some(({ vector }) => vector !== undefined) &&
    asked.every(({ vector }) => mode.questions === 'none' || vector !== undefined);
  const hasQueries = model === 'real' || queries.every(({ vector }) => vector !== undefined);
  return (isRecorded && hasQueries) || isSmall;
}
