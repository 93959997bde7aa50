import type { ServiceIdentifier } from 'inversify';
import type { Config } from '../config/fields.js';
import type { ReplaceablePorts } from '../config/options.js';
import type { CorePorts } from '../core-ports.js';
import type { RunningKnowledgeStore } from '../library/library.js';
import type { ComposedService, VariantOptions } from '../service.js';

type Tokens<Services> = { readonly [Name in keyof Services]-?: ServiceIdentifier<Services[Name]> };

/** What a program can rebind in the container of `createContainer`, each alone, and the service that comes of it. */
export const TOKENS: Tokens<ReplaceablePorts & { readonly service: RunningKnowledgeStore }> = {
  chunkRepository: Symbol('ChunkRepository'),
  embedder: Symbol('Embedder'),
  questionGenerator: Symbol('QuestionGenerator'),
  summarizer: Symbol('Summarizer'),
  clock: Symbol('Clock'),
  service: Symbol('KnowledgeStore'),
};

/** One token per port, typed with the port, so that a wrong binding does not compile. */
export const PORTS: Tokens<CorePorts> = {
  clock: Symbol('clock'),
  logger: Symbol('logger'),
  directories: Symbol('directories'),
  projectFinder: Symbol('projectFinder'),
  appDirs: Symbol('appDirs'),
  projectHistory: Symbol('projectHistory'),
  files: Symbol('files'),
  fileNames: Symbol('fileNames'),
  stores: Symbol('stores'),
  frontmatter: Symbol('frontmatter'),
  settings: Symbol('settings'),
  embedder: Symbol('embedder'),
  relevanceScales: Symbol('relevanceScales'),
  questionGenerator: Symbol('questionGenerator'),
  summarizer: Symbol('summarizer'),
  lessons: Symbol('lessons'),
  pages: Symbol('pages'),
  reranker: Symbol('reranker'),
  watcher: Symbol('watcher'),
  transcripts: Symbol('transcripts'),
  sessionConsents: Symbol('sessionConsents'),
  sessionLedgers: Symbol('sessionLedgers'),
  databases: Symbol('databases'),
  metrics: Symbol('metrics'),
};

export const CONFIG: ServiceIdentifier<Config> = Symbol('config');
export const HOST: ServiceIdentifier<HostOptions> = Symbol('host');
/** Aborted when nothing should wait for other processes any more. */
export const STOPPING: ServiceIdentifier<AbortController> = Symbol('stopping');
/** All ports, by name. */
export const ADAPTERS: ServiceIdentifier<CorePorts> = Symbol('adapters');
/** The service for the adapters that drive it. */
export const SERVICE: ServiceIdentifier<ComposedService> = Symbol('service');
export const VARIANT: ServiceIdentifier<VariantOptions> = Symbol('variant');

/** What the process that runs a service brings along, and how it works beside others. */
export interface HostOptions {
  /** Replace the adapters of the service. */
  readonly ports?: Partial<CorePorts & ReplaceablePorts>;
  /** Default: a project is indexed only when it is asked for. */
  readonly sources?: 'watched';
  /** Vectors and questions are made once `startBackgroundWork` is called, by default from the start. */
  readonly background?: 'later';
  /** Whether somebody waits for vectors; default: nobody. */
  readonly batches?: 'foreground';
}
