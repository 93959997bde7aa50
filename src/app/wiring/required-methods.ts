import type { Logger } from '../../ports/logger.js';
import { ConfigError } from '../config/config.js';
import type { Backends } from '../config/options.js';

/** The ports of a host program whose methods are checked; a list of ports is not. */
type CheckedPorts = Omit<Backends, 'transcripts'> & { readonly logger?: Logger };

const REQUIRED_METHODS: {
  readonly [Name in keyof CheckedPorts]-?: readonly (keyof NonNullable<CheckedPorts[Name]>)[];
} = {
  chunkRepository: [
    'replaceChunks',
    'deleteChunks',
    'getChunks',
    'searchChunks',
    'countRetrievals',
    'getStats',
  ],
  embedder: ['embed', 'embedBatch', 'isReady'],
  questionGenerator: ['generateQuestions'],
  summarizer: ['summarize'],
  clock: ['now'],
  stores: ['open', 'find', 'close'],
  files: [
    'listFolder',
    'listBelow',
    'listMarkdown',
    'exists',
    'readText',
    'readTail',
    'statOf',
    'isStill',
    'writeText',
    'createText',
    'replaceText',
    'copy',
    'deleteFile',
    'removeDrafts',
  ],
  directories: ['resolve', 'resolveFile'],
  projectFinder: ['findWithStore'],
  settings: ['read'],
  frontmatter: ['parse'],
  relevanceScales: ['read', 'save'],
  queryRewriter: ['rewriteQuery'],
  lessons: ['extractLessons'],
  reranker: ['rerank'],
  pages: ['fetch'],
  watcher: ['isProject', 'watch'],
  sessionConsents: ['list', 'grant', 'withdraw'],
  sessionLedgers: ['read', 'write'],
  shownPieces: ['list', 'add'],
  logger: ['debug', 'info', 'warn', 'error'],
};

/** @throws ConfigError for a port that lacks a method */
export function checkMethods(name: keyof CheckedPorts, port: object): void {
  const missing = REQUIRED_METHODS[name].find(
    (method) => typeof Reflect.get(port, method) !== 'function',
  );
  const option = name === 'logger' ? name : `backends.${name}`;
  if (missing !== undefined) throw new ConfigError(`${option} lacks the method ${missing}.`);
}

export function hasRequiredMethods(name: string): name is keyof CheckedPorts {
  return Object.hasOwn(REQUIRED_METHODS, name);
}
