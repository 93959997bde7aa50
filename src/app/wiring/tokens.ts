import type { ServiceIdentifier } from 'inversify';
import type { Config } from '../config/config.js';
import type { CorePorts } from '../core-ports.js';
import type { VariantOptions } from './create-core.js';

/** One token per port, typed with the port, so that a wrong binding does not compile. */
export const PORTS: { readonly [Name in keyof CorePorts]: ServiceIdentifier<CorePorts[Name]> } = {
  clock: Symbol('clock'),
  logger: Symbol('logger'),
  directories: Symbol('directories'),
  appDirs: Symbol('appDirs'),
  files: Symbol('files'),
  fileNames: Symbol('fileNames'),
  stores: Symbol('stores'),
  frontmatter: Symbol('frontmatter'),
  settings: Symbol('settings'),
  embedder: Symbol('embedder'),
  questions: Symbol('questions'),
  summarizer: Symbol('summarizer'),
  lessons: Symbol('lessons'),
  pages: Symbol('pages'),
  reranker: Symbol('reranker'),
  watcher: Symbol('watcher'),
  databases: Symbol('databases'),
  metrics: Symbol('metrics'),
};

export const CONFIG: ServiceIdentifier<Config> = Symbol('config');
export const SURROUNDINGS: ServiceIdentifier<Surroundings> = Symbol('surroundings');
export const LIFE: ServiceIdentifier<ServiceLife> = Symbol('life');
/** All adapters that are bound. */
export const ADAPTERS: ServiceIdentifier<CorePorts> = Symbol('adapters');
export const VARIANT: ServiceIdentifier<VariantOptions> = Symbol('variant');

/** What the process that runs a service brings along, and how it works beside others. */
export interface Surroundings {
  /** Replace the adapters of the service. */
  readonly ports?: Partial<CorePorts>;
  /** Default: a project is indexed only when it is asked for. */
  readonly sources?: 'watched';
  /** Vectors and questions are made once `startBackgroundWork` is called; by default from the start. */
  readonly background?: 'later';
}

export interface ServiceLife {
  /** Aborted when nothing should wait for other processes any more. */
  readonly stopping: AbortSignal;
  /** Gives up what is kept for a project, whose next use prepares it again. */
  readonly release: (path: string) => Promise<void>;
  /** Continues the background work of a project, if it has a store. */
  readonly wake: (path: string) => Promise<void>;
}
