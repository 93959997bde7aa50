import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectStores } from '../../src/ports/driven/project-stores.js';
import type { Collection } from './collection.js';
import { APP_DIR, type Importance, writeForeignDatabase } from './foreign-database.js';
import type { Mode } from './modes.js';
import { fillPostgres, type PostgresTarget } from './postgres-project.js';
import { MODEL } from './real-embedder.js';
import { startService } from './service.js';

/**
 * How documents get into a project. `document`: one chunk per document, with the vectors of the set,
 * written as by another program. `chunker`: markdown files, read and cut by the service.
 */
export type Column = 'document' | 'chunker';
export const COLUMNS: readonly Column[] = ['document', 'chunker'];

export type ProjectSettings = Readonly<Record<string, unknown>>;

/** A new project directory in the temporary folder, filled with a collection. */
export interface BenchProject {
  readonly path: string;
  /** The document to which a chunk belongs. */
  documentOf(chunk: { readonly id: string; readonly sourceFile: string }): string;
  /** New stores that contain the project; absent if it is in SQLite. */
  openStores?(): ProjectStores;
  remove(): void;
}

const FILL: Record<
  Column,
  (
    path: string,
    collection: Collection,
    filling: Pick<Filling, 'questions' | 'importance'>,
  ) => Promise<BenchProject['documentOf']>
> = {
  document: async (path, { documents }, { questions, importance = 'equal' }) => {
    writeForeignDatabase(path, { documents, model: MODEL, questions, importance });
    return ({ id }) => id;
  },
  chunker: async (path, { documents }) => {
    mkdirSync(join(path, 'docs'));
    const ids = new Map<string, string>();
    for (const [index, { id, title, text }] of documents.entries()) {
      const file = `docs/${String(index).padStart(6, '0')}.md`;
      writeFileSync(join(path, file), title === '' ? text : `# ${title}\n\n${text}`);
      ids.set(file, id);
    }
    await ingest(path);
    return ({ sourceFile }) => ids.get(sourceFile) ?? sourceFile;
  },
};

export async function fillProject(collection: Collection, filling: Filling): Promise<BenchProject> {
  const { column, questions, settings, postgres } = filling;
  const path = temporaryFolder();
  try {
    writeSettings(path, settings);
    if (postgres !== undefined) {
      const openStores = await fillPostgres(path, collection, { questions, ...postgres });
      const documentOf: BenchProject['documentOf'] = ({ sourceFile }) => sourceFile;
      return { path, documentOf, openStores, remove: () => removeFolder(path) };
    }
    const documentOf = await FILL[column](path, collection, filling);
    return { path, documentOf, remove: () => removeFolder(path) };
  } catch (error) {
    removeFolder(path);
    throw error;
  }
}

export interface Filling {
  readonly column: Column;
  readonly questions: Mode['questions'];
  readonly settings: ProjectSettings;
  /** Of the documents, in the column `document`; default `equal`. */
  readonly importance?: Importance | undefined;
  /** Where the project is stored instead of in SQLite. */
  readonly postgres?: PostgresTarget | undefined;
}

/** Writes no `settings.json` for a project without settings. */
export function writeSettings(path: string, settings: ProjectSettings): void {
  mkdirSync(join(path, APP_DIR));
  if (Object.keys(settings).length === 0) return;
  const file = join(path, APP_DIR, 'settings.json');
  writeFileSync(file, JSON.stringify({ knowledgeStore: settings }));
}

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'bench-quality-')));
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Reads the files of a project into its index, without a model. */
export async function ingest(path: string): Promise<void> {
  const { store, stop } = startService('hybrid');
  try {
    const { skipped } = await store.reindex(path);
    if (skipped.length > 0) throw new Error(`Not indexed: ${JSON.stringify(skipped[0])}`);
  } finally {
    await stop();
  }
}
