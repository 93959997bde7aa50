import type { ServiceIdentifier } from 'inversify';
import type { ReplaceablePorts } from '../config/options.js';
import type { CorePorts } from '../core-ports.js';
import type { RunningKnowledgeStore } from '../library/library.js';
import type { QueryEmbeddings } from '../search/query-vectors.js';
import type { ComposedService, VariantOptions } from '../service/service.js';

type Tokens<Services> = { readonly [Name in keyof Services]-?: ServiceIdentifier<Services[Name]> };

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
  questionGenerator: Symbol('QuestionGenerator'),
  queryRewriter: Symbol('queryRewriter'),
  summarizer: Symbol('Summarizer'),
  lessons: Symbol('lessons'),
  pages: Symbol('pages'),
  reranker: Symbol('reranker'),
  watcher: Symbol('watcher'),
  transcripts: Symbol('transcripts'),
  sessionConsents: Symbol('sessionConsents'),
  sessionLedgers: Symbol('sessionLedgers'),
  shownPieces: Symbol('shownPieces'),
  databases: Symbol('databases'),
  metrics: Symbol('metrics'),
};

/**
 * Tokens that a program can rebind individually in the container of `createContainer`, and the resulting service. A
 * clock and an embedder may omit members with a default; `PORTS` has the completed ones.
 */
export const TOKENS: Tokens<ReplaceablePorts & { readonly service: RunningKnowledgeStore }> = {
  chunkRepository: Symbol('ChunkRepository'),
  embedder: Symbol('Embedder'),
  questionGenerator: PORTS.questionGenerator,
  summarizer: PORTS.summarizer,
  clock: Symbol('Clock'),
  service: Symbol('KnowledgeStore'),
};

/** All ports, by name. */
export const ADAPTERS: ServiceIdentifier<CorePorts> = Symbol('adapters');
/** The use cases for the adapters that drive them. */
export const SERVICE: ServiceIdentifier<ComposedService> = Symbol('service');
export const QUERY_EMBEDDINGS: ServiceIdentifier<QueryEmbeddings> = Symbol('queryEmbeddings');
export const VARIANT: ServiceIdentifier<VariantOptions> = Symbol('variant');
