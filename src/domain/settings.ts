import {
  CHUNK_MAX_TOKENS,
  DEFAULT_CHUNK_OVERLAP,
  DEFAULT_IMPORTANCE,
  DEFAULT_MAX_CHUNK_SIZE,
  DEFAULT_PIECE_SIZE,
  QUERY_VECTOR_TIMEOUT_MS,
} from './limits.js';

/** The key of this service's settings in the settings file, which other programs use too. */
export const SETTINGS_KEY = 'knowledgeStore';

/** How to merge the keyword list and the vector list. */
export const FUSIONS = ['rrf', 'blend'] as const;
export type Fusion = (typeof FUSIONS)[number];

/** Which chunks to rank: those found by keyword, or also the nearest vectors of the project. */
export const CANDIDATE_SETS = ['keyword', 'union'] as const;
export type CandidateSet = (typeof CANDIDATE_SETS)[number];

/** How a search treats chunks that cite changed or deleted files: keep them, put them last, or hide them. */
export const STALE_CHUNKS = ['show', 'last', 'hide'] as const;
type StaleChunks = (typeof STALE_CHUNKS)[number];

/** A project's settings: key `knowledgeStore` of `<appdir>/settings.json` (docs/specification.md, "Settings"). */
export interface Settings {
  /** Tokens; chunks are limited to the smaller of this and {@link CHUNK_MAX_TOKENS}. */
  readonly maxChunkSize: number;
  /** Tokens of each piece of a section or paragraph that exceeds a chunk. */
  readonly pieceSize: number;
  /** Tokens; unused, reserved. */
  readonly chunkOverlap: number;
  /** Importance of `file` chunks whose frontmatter has none; 0 to 1. */
  readonly defaultImportance: number;
  /**
   * Whether a rebuild reads the sources again and file changes are detected; if false, a rebuild only rebuilds the
   * index.
   */
  readonly autoReindex: boolean;
  readonly excludePatterns: readonly string[];
  readonly includePatterns: readonly string[];
  /** Whether documentation leaves out files that git ignores, nested repositories and build folders. */
  readonly ignore: boolean;
  /** If false, searches rank by BM25 only. */
  readonly hybridRetrieval: boolean;
  /** How long a search waits for the vector of its query before it falls back to `bm25` mode. */
  readonly queryVectorTimeoutMs: number;
  readonly staleChunks: StaleChunks;
  /** If false, agent sessions are not kept, even with the user's consent. */
  readonly sessions: boolean;
  /** One sentence for each invalid entry of the file, whose default is used; absent if all are valid. */
  readonly problems?: readonly string[];
}

export const DEFAULT_SETTINGS: Settings = {
  maxChunkSize: DEFAULT_MAX_CHUNK_SIZE,
  pieceSize: DEFAULT_PIECE_SIZE,
  chunkOverlap: DEFAULT_CHUNK_OVERLAP,
  defaultImportance: DEFAULT_IMPORTANCE,
  autoReindex: true,
  excludePatterns: [],
  includePatterns: ['**/*.md'],
  ignore: true,
  hybridRetrieval: true,
  queryVectorTimeoutMs: QUERY_VECTOR_TIMEOUT_MS,
  staleChunks: 'show',
  sessions: true,
};

/** The chunk sizes under these settings, in tokens. */
export function chunkSizes({ maxChunkSize, pieceSize }: Settings) {
  const maxTokens = Math.min(CHUNK_MAX_TOKENS, maxChunkSize);
  return { maxTokens, pieceTokens: Math.min(maxTokens, pieceSize) };
}
