import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { KnowledgeError } from '../../../domain/errors.js';
import { backupFileName, backupNameOf } from '../../../domain/transfer/archive-names.js';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type {
  BackupFile,
  RestoredStore,
  StoreBackups,
} from '../../../ports/driven/store-backups.js';
import { toKnowledgeError } from '../database/sqlite-errors.js';
import { databasePath, foldLog, hasDatabase, prepareDirectory } from '../database/store-files.js';
import { copyDatabase } from './database-copy.js';
import { putInPlace } from './replacement.js';

export interface SqliteBackupsOptions {
  readonly appDirs: AppDirectories;
  readonly clock: Pick<Clock, 'now'>;
  /** Closes the store of a project in this process. */
  readonly release: (projectPath: string) => Promise<void>;
}

/** Copies of databases, made by SQLite's online backup, beside the database that they are of. */
export class SqliteBackups implements StoreBackups {
  readonly #options: SqliteBackupsOptions;

  constructor(options: SqliteBackupsOptions) {
    this.#options = options;
  }

  async backup(projectPath: string, name: string): Promise<BackupFile> {
    const appDir = this.#options.appDirs.of(projectPath);
    if (!hasDatabase(projectPath, appDir)) {
      throw new KnowledgeError('not_found', 'The project has no knowledge store to back up yet.');
    }
    return translated(async () => {
      const directory = prepareDirectory(projectPath, appDir);
      const target = join(directory, backupFileName(name));
      if (statsOf(target) !== undefined) throw taken();
      const copy = await copyDatabase(databasePath(projectPath, appDir), directory);
      try {
        if (copy.damage !== undefined)
          throw damaged('so it was not backed up; repair it first', copy.damage);
        if (!copy.linkTo(target)) throw taken();
      } finally {
        copy.remove();
      }
      return this.#fileOf(projectPath, name);
    });
  }

  async restore(projectPath: string, name: string): Promise<RestoredStore> {
    const { appDirs, clock, release } = this.#options;
    const appDir = appDirs.of(projectPath);
    const source = join(projectPath, appDir, backupFileName(name));
    if (statsOf(source) === undefined) {
      throw new KnowledgeError('not_found', `There is no backup ${backupFileName(name)}.`);
    }
    return translated(async () => {
      const copy = await copyDatabase(source, prepareDirectory(projectPath, appDir)).catch(
        unusable,
      );
      try {
        if (copy.damage !== undefined) throw damaged('nothing was changed', copy.damage);
        await release(projectPath);
        const previous = putInPlace(copy, databasePath(projectPath, appDir), clock.now());
        const { chunks } = copy;
        if (previous === undefined) return { chunks };
        // A call may have opened the former database again before it was moved.
        await release(projectPath);
        foldLog(join(projectPath, appDir, previous));
        return { chunks, previous: `${appDir}/${previous}` };
      } finally {
        copy.remove();
      }
    });
  }

  async list(projectPath: string): Promise<readonly BackupFile[]> {
    const appDir = this.#options.appDirs.of(projectPath);
    if (statsOf(join(projectPath, appDir)) === undefined) return [];
    return translated(async () =>
      readdirSync(join(projectPath, appDir))
        .toSorted()
        .flatMap((file) => backupNameOf(file) ?? [])
        .map((name) => this.#fileOf(projectPath, name)),
    );
  }

  #fileOf(projectPath: string, name: string): BackupFile {
    const appDir = this.#options.appDirs.of(projectPath);
    const file = backupFileName(name);
    const stats = lstatSync(join(projectPath, appDir, file));
    const createdAt = stats.mtime.toISOString();
    return { name, file: `${appDir}/${file}`, bytes: stats.size, createdAt };
  }
}

function statsOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

function taken(): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    'There is a backup of this name; choose another one, or delete its file.',
  );
}

function damaged(consequence: string, reason: string): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    `The database is damaged (SQLite says "${reason}"); ${consequence}.`,
  );
}

/** What is wrong with a backup concerns the backup, not the store. */
function unusable(cause: unknown): never {
  const error = toKnowledgeError(cause);
  if (!(error instanceof KnowledgeError) || error.code !== 'store_unavailable') throw error;
  throw new KnowledgeError(
    'not_readable',
    `The backup cannot be used, and nothing was changed: ${error.message}`,
    { cause },
  );
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toKnowledgeError(error);
  }
}
