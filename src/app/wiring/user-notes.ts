import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { NotesFolderFiles } from '../../adapters/files/notes-folder-files.js';
import { KnowledgeError, systemReason } from '../../domain/errors.js';
import { savedFolder } from '../../domain/project-layout.js';
import { toUserId, USER_APP_DIR } from '../../domain/saved/user-note-ids.js';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { SourceWatcher } from '../../ports/source-watcher.js';
import type { Config } from '../config/fields.js';
import type { CorePorts } from '../core-ports.js';
import type { QueryEmbeddings } from '../search/query-vectors.js';
import type { ComposedService } from '../service/service.js';
import type { UserNotes } from '../user-notes/user-notes.js';
import type { HostOptions } from './host.js';

/** The user notes and their service, which is composed when first needed. */
export interface ComposedUserNotes extends UserNotes {
  /** Undefined until it is first needed. */
  readonly service: ComposedService | undefined;
}

interface UserNotesOptions {
  /** Undefined if user notes are left out. */
  readonly config: Config | undefined;
  readonly host: HostOptions;
  readonly ports: Pick<CorePorts, 'embedder' | 'logger'>;
  readonly queryEmbeddings: QueryEmbeddings;
  readonly compose: (config: Config, host: HostOptions) => ComposedService;
}

/**
 * Makes the user's data folder a project of which only the notes folder is read. Its store is beside that folder, in
 * SQLite even if projects are in a database server.
 */
export function composeUserNotes({
  config,
  host: { background },
  ports,
  queryEmbeddings,
  compose,
}: UserNotesOptions): ComposedUserNotes | undefined {
  if (config?.userNotes !== 'on') return undefined;
  const projectPath = resolve(config.dataDir);
  const backend = STORES_OF_NOTES[config.backend];
  const host: HostOptions = {
    ports: sharedPorts(ports),
    queryEmbeddings,
    shownId: toUserId,
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
    prepare: () => prepareFolder(projectPath),
    open: () => {
      service ??= compose({ ...config, backend, roots: [], reranker: undefined }, host);
      return service;
    },
  };
}

/** Creates the folder unless it exists. @throws KnowledgeError `store_unavailable` if it cannot be created */
function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `The data folder ${folder} cannot be created (${systemReason(cause)}); make a folder above it writable, or set DATA_DIR to another folder.`;
    throw new KnowledgeError('store_unavailable', message, { cause });
  }
}

const STORES_OF_NOTES = { sqlite: 'sqlite', memory: 'memory', postgres: 'sqlite' } as const;

function sharedPorts({
  embedder,
  logger,
}: UserNotesOptions['ports']): NonNullable<HostOptions['ports']> {
  const appDirs = appDirectories(USER_APP_DIR);
  return {
    appDirs,
    logger,
    files: new NotesFolderFiles(appDirs),
    settings: { read: async () => DEFAULT_SETTINGS },
    watcher: everythingMayHaveChanged,
    embedder: sharedModel(embedder),
  };
}

/** The model of another service, which closes it. */
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

/** Reports every note as possibly changed, because there are few. */
const everythingMayHaveChanged: SourceWatcher = {
  isProject: () => true,
  watch: () => ({ changes: async () => undefined }),
};
