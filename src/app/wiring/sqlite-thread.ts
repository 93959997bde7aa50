/** Entry point of a worker thread that serves the SQLite stores of all projects. */
import { appDirectories } from '../../adapters/files/app-directories.js';
import { SqliteProjectStores } from '../../adapters/sqlite/stores/sqlite-project-stores.js';
import { serveStores } from '../../adapters/store-threads/serve-stores.js';

/** What the thread must know of the configuration. */
export interface SqliteThreadSettings {
  readonly appDir: string | undefined;
  readonly model: string;
  readonly dimensions: number;
  readonly leaseHolder: string;
}

serveStores(({ role, settings, ...means }) => {
  const trust = role === 'writer' ? 'trusted' : 'joined';
  const { appDir, ...rest } = settings as SqliteThreadSettings;
  return new SqliteProjectStores({ ...rest, ...means, trust, appDirs: appDirectories(appDir) });
});
