import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { NotesFolderFiles } from '../../adapters/files/notes-folder-files.js';
import { savedFolder } from '../../domain/project-layout.js';
import { USER_APP_DIR } from '../../domain/saved/user-note-ids.js';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { SourceWatcher } from '../../ports/source-watcher.js';
import type { Config } from '../config/fields.js';
import type { CorePorts } from '../core-ports.js';
import type { ComposedService } from '../service/service.js';
import type { UserNotes } from '../user-notes/user-notes.js';
import type { HostOptions } from './host.js';

/** The notes of the user and the service over them, which is composed when it is first needed. */
export interface ComposedUserNotes extends UserNotes {
  /** Undefined until it is needed. */
  readonly service: ComposedService | undefined;
}

interface UserNotesOptions {
  /** Undefined where the notes of the user are not covered. */
  readonly config: Config | undefined;
  readonly host: HostOptions;
  readonly ports: Pick<CorePorts, 'embedder' | 'logger'>;
  readonly compose: (config: Config, host: HostOptions) => ComposedService;
}

/**
 * The data folder of the user as a project of which only the folder of notes is read. Its store is beside that folder,
 * in SQLite also where projects are in a database server.
 */
export function composeUserNotes({
  config,
  host: { background },
  ports,
  compose,
}: UserNotesOptions): ComposedUserNotes | undefined {
  if (config?.userNotes !== 'on') return undefined;
  const projectPath = resolve(config.dataDir);
  const backend = STORES_OF_NOTES[config.backend];
  const host: HostOptions = {
    ports: sharedPorts(ports),
    fileChecks: 'before searches',
    ...(background !== undefined && { background }),
  };
  let service: ComposedService | undefined;
  return {
    projectPath,
    get service() {
      return service;
    },
    exist: () => existsSync(join(projectPath, savedFolder(USER_APP_DIR, 'manual'))),
    prepare: () => void mkdirSync(projectPath, { recursive: true, mode: 0o700 }),
    open: () => {
      service ??= compose({ ...config, backend, roots: [], reranker: undefined }, host);
      return service;
    },
  };
}

const STORES_OF_NOTES = { sqlite: 'sqlite', memory: 'memory', postgres: 'sqlite' } as const;

function sharedPorts({
  embedder,
  logger,
}: UserNotesOptions['ports']): NonNullable<HostOptions['ports']> {
  const appDirs = appDirectories(USER_APP_DIR);
  return {
    ...{ appDirs, logger },
    files: new NotesFolderFiles(appDirs),
    settings: { read: async () => DEFAULT_SETTINGS },
    watcher: everythingMayHaveChanged,
    embedder: sharedModel(embedder),
  };
}

/** Another service closes it. */
function sharedModel(model: EmbeddingModel): EmbeddingModel {
  return {
    model: model.model,
    dimensions: model.dimensions,
    isReady: () => model.isReady(),
    embed: (text, signal) => model.embed(text, signal),
    embedBatch: (texts, role) => model.embedBatch(texts, role),
    status: () => model.status(),
    load: (which) => model.load(which),
    close: async () => undefined,
  };
}

/** There are few notes, so all of them are checked. */
const everythingMayHaveChanged: SourceWatcher = {
  isProject: () => true,
  watch: () => ({ changes: async () => undefined }),
};
