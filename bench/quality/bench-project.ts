import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectStores } from '../../src/ports/project-stores.js';
import type { Collection } from './collection.js';
import { APP_DIR, writeForeignDatabase } from './foreign-database.js';
import { embedHeaders } from './headers.js';
import { fillPostgres, type PostgresTarget } from './postgres-project.js';
import { MODEL } from './real-embedder.js';
import { startService } from './service.js';
import { fillSessions } from './session-project.js';

export type ProjectSettings = Readonly<Record<string, unknown>>;

/** A project in a temporary folder, filled with a collection. */
export interface BenchProject {
  readonly path: string;
  /** The document to which a chunk belongs. */
  documentOf(chunk: { readonly id: string; readonly sourceFile: string }): string;
  /** Opens stores that contain the project; absent if it is in SQLite. */
  openStores?(): ProjectStores;
  remove(): void;
}

/** Creates a project with one chunk per document and the vectors of the set, written as by another program. */
export async function fillProject(
  collection: Collection,
  { settings = {}, postgres, headers, sessions }: Filling,
): Promise<BenchProject> {
  const path = temporaryFolder();
  const remove = () => removeFolder(path);
  try {
    writeSettings(path, settings);
    if (sessions) {
      const home = temporaryFolder();
      const filled = fillSessions({ path, home }, collection.documents);
      const documentOf = await filled.finally(() => removeFolder(home));
      return { path, documentOf: ({ sourceFile }) => documentOf(sourceFile), remove };
    }
    if (postgres !== undefined) {
      const openStores = await fillPostgres(path, collection, postgres);
      return { path, documentOf: ({ sourceFile }) => sourceFile, openStores, remove };
    }
    writeForeignDatabase(path, { documents: collection.documents, model: MODEL });
    if (headers === 'embedded') await embedHeaders(path);
    return { path, documentOf: ({ id }) => id, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export interface Filling {
  readonly settings?: ProjectSettings | undefined;
  /** Whether titles and paths of files get vectors, which requires the model's weights; default `none`. */
  readonly headers?: 'embedded' | 'none';
  /** Whether documents become agent sessions. */
  readonly sessions?: boolean;
  /** Where to store the project instead of SQLite. */
  readonly postgres?: PostgresTarget | undefined;
}

/** Writes `settings.json`, unless there are no settings. */
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
    const { indexed, skipped } = await store.reindex(path);
    if (indexed === 0) throw new Error(`Nothing was indexed: ${JSON.stringify(skipped[0])}`);
  } finally {
    await stop();
  }
}
