import type { ServiceIdentifier } from 'inversify';
import type { Config } from '../config/config.js';
import type { RetryListener } from '../enrichment/background-loop.js';
import type { Core, CoreOptions, CorePorts, VariantOptions } from './create-core.js';
import type { LanguageModel } from './language-model.js';
import type { Neighbours } from './neighbours.js';

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
  exports: Symbol('exports'),
  leftovers: Symbol('leftovers'),
};

export const CONFIG = token<Config>('config');
export const LANGUAGE_MODEL = token<LanguageModel>('languageModel');

/** All adapters bound to `PORTS`, as one object. */
export const CORE_PORTS = token<CorePorts>('corePorts');
export const CORE = token<Core>('core');

/** Aborted when nothing should wait for other processes any more. */
export const STOP_WAITING = token<AbortController>('stopWaiting');

/** Told when background work has failed and is tried again. */
export const RETRY_LISTENER = token<RetryListener>('retryListener');

/** Gives up what is kept for a project, whose next use prepares it again. */
export const RELEASE_PROJECT = token<(projectPath: string) => Promise<void>>('releaseProject');

/** How this process works on projects beside others. */
export const NEIGHBOURS = token<Neighbours>('neighbours');

/** Rejects if the server of the store cannot be used. */
export const CHECK_STORE = token<() => Promise<void>>('checkStore');

/** The parts that a variant binds, besides the embedder and the settings. */
export const VARIANT_PARTS = token<VariantOptions>('variantParts');

/** How far the core does work that nobody waits for. */
export const CORE_OPTIONS = token<CoreOptions>('coreOptions');

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}
