import type { CallOptions } from '../../app/ingestion/source-reader.js';
import type { AgentPrompt } from '../../app/lessons/prompt-knowledge.js';
import type { SetupReport } from '../../app/projects/project-setup.js';
import type { EvaluatedAnswer } from '../../app/search/evaluation.js';
import type { FirstIndexing } from '../../domain/ranking/search.js';
import type { EmbedderStatus } from '../../ports/embedder.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { SessionConsents } from '../../ports/session-records.js';
import type { IngestionReport, SkippedSource } from '../../schemas/sources.js';
import type { Program } from './agents.js';
import type { ProjectLocator } from './project-directory.js';
import type { CreatedPaths } from './settings-file.js';
import type { Terminal } from './terminal.js';

/** The project of an MCP server for calls that name none. */
export interface ServedProject {
  /** Absolute. */
  readonly directory: string;
  /** Whether `--project` named the directory. */
  readonly isNamed: boolean;
}

/** The collaborators of the command line. Those that are slow to load are behind functions. */
export interface CommandLineParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** The working directory, absolute. */
  readonly directory: string;
  /** The environment variables, one per line. */
  readonly variables: () => Promise<string>;
  readonly program: Program;
  /** Environment variables for a server that another program starts. */
  readonly env: Readonly<Record<string, string>>;
  /** @throws Error that names a wrong variable */
  readonly appDirs: () => Promise<AppDirectories>;
  /** @throws Error that names a wrong variable */
  readonly projects: () => Promise<ProjectLocator>;
  /** Serves HTTP, with the given variables set; resolves when the service listens. */
  readonly serve: (changed: Readonly<Record<string, string>>) => Promise<void>;
  /** Serves MCP on standard input and output; the directory is the project of calls that name none. */
  readonly mcp: (project: ServedProject) => Promise<void>;
  /** Records about agents in the user's data folder: consents to keep sessions, and files created in projects. */
  readonly userRecords: () => Promise<UserRecords>;
  /** The files of this program in the user's data folder. */
  readonly userData: (options: {
    readonly notes: 'kept' | 'removed';
  }) => Promise<RemovableUserData>;
  readonly yaml: () => Promise<Yaml>;
  /** Aborted when the time limit of a hook has passed. */
  readonly hookTime: () => AbortSignal;
  /** The section for a prompt, from the local service. If none is running, starts one and returns an empty string. */
  readonly knownForPrompt: (prompt: AgentPrompt, signal: AbortSignal) => Promise<string>;
  /** Stops this user's local services; resolves with their number. */
  readonly stopServices: () => Promise<number>;
  /** Finds the local service, or composes one in this process. @throws Error that names a wrong variable */
  readonly open: (options: OpenOptions) => Promise<Operations>;
}

/** Reads and writes YAML, treating every scalar as a string. */
export interface Yaml {
  /** @throws Error with one sentence */
  parseYaml(text: string): unknown;
  writeYaml(value: unknown): string;
}

export interface RemovableUserData {
  /** Absolute. */
  readonly paths: readonly string[];
  /** The directories of known projects. */
  readonly projects: readonly string[];
  /** The application directories of these projects, which `remove` keeps. */
  readonly projectFolders: readonly string[];
  remove(): void;
}

export interface UserRecords {
  readonly consents: SessionConsents;
  readonly created: CreatedPaths;
  /** URLs of the endpoints to which session text is sent; usually none. */
  readonly endpoints: readonly string[];
}

export interface OpenOptions {
  /** Whether this process uses the embedding model: never, only if installed, or after a download if necessary. */
  readonly model: 'unused' | 'installed' | 'downloaded';
  /** `scratch`: an empty store in memory, so that nothing is created on disk. */
  readonly store: 'configured' | 'scratch';
  /**
   * `started`: the local service does the work, and is started if necessary. `running`: it does so only if it is
   * running. `none`: this process does the work.
   */
  readonly service: 'started' | 'running' | 'none';
  /** Lowest log level that is shown, unless KNOWLEDGE_LOG_LEVEL is set; default `warn`. */
  readonly logLevel?: 'warn' | 'error' | 'silent';
}

/** The embedding model on this machine. */
export interface InstalledModel {
  readonly name: string;
  /** The folder of the models, absolute. */
  readonly directory: string;
  /** Size of its files. */
  readonly bytes: number;
  /**
   * Whether the faster native runtime is or could be installed; absent if it is in use, or if there
   * is no local model.
   */
  readonly faster?: 'installed' | 'installable';
}

/** The fields of a request; undefined ones are left out. */
export type Fields = Readonly<Record<string, unknown>>;

/** The operations that the local service carries out for a command. */
export interface ServedOperations {
  /**
   * Calls a route of the hybrid variant, even if another variant is configured, and returns the response body.
   * @param route method and path; path parameters are in braces or filled in
   * @throws KnowledgeError as the route does, and `not_found` if the route does not exist
   */
  call(route: string, fields: Fields): Promise<unknown>;
  /**
   * Starts the first indexing; returns undefined if the project already has an index. @throws KnowledgeError as a
   * search does
   */
  beginIndexing(projectPath: string): Promise<FirstIndexing | undefined>;
  /** Like `POST /x/reindex`, with progress. @throws KnowledgeError as the route does */
  ingest(projectPath: string, options?: CallOptions): Promise<IngestionReport>;
  /** Like `POST /rebuild`, with progress. @throws KnowledgeError as the route does */
  rebuild(projectPath: string, options?: CallOptions): Promise<IngestionReport>;
  /** The line on which each chunk begins in its file, counted from 1, in the order of the ids; null if unknown. */
  findLines(projectPath: string, ids: readonly string[]): Promise<readonly (number | null)[]>;
  /** The files of a project that were not indexed, or only in part. */
  skipped(projectPath: string): Promise<readonly SkippedSource[]>;
  /** Loads the embedding model. @throws KnowledgeError `model_unavailable` */
  loadModel(): Promise<void>;
  modelStatus(): Promise<EmbedderStatus>;
  /** The notes and lessons that fit a prompt. @throws KnowledgeError as a search does */
  knownForPrompt(prompt: AgentPrompt, options?: CallOptions): Promise<string>;
  /** Searches for a question in every search mode, for `eval`. @throws KnowledgeError as a search does */
  askInEveryWay(projectPath: string, query: string): Promise<EvaluatedAnswer>;
  /** Embeds chunks at full speed until no vector is missing or the model has failed. */
  makeVectors(projectPath: string, options?: CallOptions): Promise<void>;
}

/** The service behind the commands: in this process, or the local service. */
export interface Operations extends ServedOperations {
  /** Writes the recommended settings of a project. @throws KnowledgeError */
  writeSettings(projectPath: string): Promise<SetupReport>;
  /** Whether a language model is configured, which generates questions for chunks. */
  hasLanguageModel(): Promise<boolean>;
  installedModel(): Promise<InstalledModel>;
  /** The local service. Absent if this process does the work; background work then ends with the process. */
  readonly service?: LocalServiceInUse;
  /** Ends background work and closes every store. Idempotent. */
  stop(): Promise<void>;
}

interface LocalServiceInUse {
  readonly pid: number;
  /** Path of the log file. */
  readonly log: string;
}
