import type { SetupReport } from '../../app/projects/project-setup.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { SessionConsents } from '../../ports/session-records.js';
import type { IngestionReport, SkippedSource } from '../../schemas/sources.js';
import type { ModelStatus } from '../../schemas/stats.js';
import type { Program } from './agents.js';
import type { ProjectFinder } from './project-directory.js';
import type { CreatedPaths } from './settings-file.js';
import type { Terminal } from './terminal.js';
import type { Amount } from './text/progress.js';

/** What the command line is composed of. Everything that costs time to load is behind a function. */
export interface CommandLineParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** The working directory, absolute. */
  readonly directory: string;
  /** The environment variables, one per line. */
  readonly variables: () => Promise<string>;
  readonly program: Program;
  /** Variables that a server needs which another program starts. */
  readonly env: Readonly<Record<string, string>>;
  /** @throws Error that names a wrong variable */
  readonly appDirs: () => Promise<AppDirectories>;
  /** @throws Error that names a wrong variable */
  readonly projects: () => Promise<ProjectFinder>;
  /** Serves HTTP, with some variables set; resolves when the service listens. */
  readonly serve: (changed: Readonly<Record<string, string>>) => Promise<void>;
  /** Serves MCP on standard input and output; the directory is the project of calls that name none. */
  readonly mcp: (directory: string) => Promise<void>;
  /** What this program keeps for the user about agents: consents to keep sessions, and what it created in projects. */
  readonly userRecords: () => Promise<UserRecords>;
  /** Composes the service in this process. @throws Error that names a wrong variable */
  readonly open: (options: OpenOptions) => Promise<Operations>;
}

export interface UserRecords {
  readonly consents: SessionConsents;
  readonly created: CreatedPaths;
  /** The endpoints to which the text of sessions is sent, as URLs; mostly none. */
  readonly endpoints: readonly string[];
}

export interface OpenOptions {
  /** The embedding model: not used, used if it is installed, or downloaded where it is not. */
  readonly model: 'unused' | 'installed' | 'downloaded';
  /** `scratch`: an empty store in memory, so that nothing is created on disk. */
  readonly store: 'configured' | 'scratch';
  /** `asked`: a service of this user that runs answers in place of this process. */
  readonly service?: 'asked';
  /** From which level on the log is shown, unless KNOWLEDGE_LOG_LEVEL says it; default `warn`. */
  readonly logLevel?: 'warn' | 'error';
}

/** Who makes the vectors that a project lacks, and about how fast, where that is known. */
export interface LeftVectors {
  readonly to: 'service' | 'process';
  readonly chunksPerSecond: number | undefined;
}

/** The embedding model on this machine. */
export interface InstalledModel {
  readonly name: string;
  /** The folder of the models, absolute. */
  readonly directory: string;
  /** Size of its files. */
  readonly bytes: number;
  /** Whether the native runtime, which is faster, is there or could be; absent where it is used, or no local model is. */
  readonly faster?: 'installed' | 'installable';
}

/** A route of the HTTP interface of the hybrid variant, such as `POST /api/knowledge/search`. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** The fields of a request; one that is undefined is left out. */
export type Fields = Readonly<Record<string, unknown>>;

/** The service in this process. */
export interface Operations {
  /**
   * Does what a route does, and returns the body of its 200. The routes are those of the hybrid variant,
   * whichever variant is configured.
   * @param route method and path, whose parameters are in braces or filled in
   * @throws KnowledgeError as the route does, and `not_found` if it does not exist
   */
  call(route: string, fields: Fields): Promise<unknown>;
  /** Makes a place for the settings of a project. @throws KnowledgeError */
  writeSettings(projectPath: string): Promise<SetupReport>;
  /** Does what `POST /x/reindex` does, and tells how far it is. @throws KnowledgeError as the route does */
  ingest(projectPath: string, onProgress: (amount: Amount) => void): Promise<IngestionReport>;
  /** Does what `POST /rebuild` does, and tells how far it is. @throws KnowledgeError as the route does */
  rebuild(projectPath: string, onProgress: (amount: Amount) => void): Promise<unknown>;
  /** Where chunks begin in their files, from 1, in the order of the ids; undefined where that is not known. */
  linesOf(projectPath: string, ids: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** The files of a project that are there but are not read. */
  skipped(projectPath: string): Promise<readonly SkippedSource[]>;
  /** Loads the embedding model. @throws KnowledgeError `model_unavailable` */
  loadModel(): Promise<void>;
  modelStatus(): ModelStatus;
  /** Why the embedding model cannot be used, as a sentence. */
  modelFailure(): string | undefined;
  /** Whether questions can be made for chunks. */
  readonly hasLanguageModel: boolean;
  installedModel(): Promise<InstalledModel>;
  /** Leaves missing vectors to a running service, or to a detached process that this starts. */
  leaveVectors(projectPath: string): Promise<LeftVectors>;
  /** The file in which that process says how it gets on. */
  readonly vectorLog: string;
  /** Lets vectors and questions be made from now on; nothing makes them before. */
  startBackgroundWork(): void;
  /** Ends background work and closes every store. Idempotent. */
  stop(): Promise<void>;
}
