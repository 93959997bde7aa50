import { GLOB_SYNTAX, globProblem } from './glob.js';
import {
  CHUNK_MAX_TOKENS,
  DEFAULT_CHUNK_OVERLAP,
  DEFAULT_IMPORTANCE,
  DEFAULT_MAX_CHUNK_SIZE,
  DEFAULT_PIECE_SIZE,
  DEFAULT_RELEVANCE_FLOOR,
  GLOBS_MAX,
  QUERY_VECTOR_TIMEOUT_MS,
} from './limits.js';
import { isRecord } from './records.js';
import { FLAG, oneOf, type Rule, SHARE, wholeNumber } from './value-rule.js';

/** Where the settings of this service are in the settings file, which other programs use, too. */
export const SETTINGS_KEY = 'knowledgeStore';

/** How the keyword list and the vector list are merged. */
export const FUSIONS = ['rrf', 'blend'] as const;
export type Fusion = (typeof FUSIONS)[number];

/** Which chunks are ranked: those found by keyword, or also the nearest vectors of the project. */
export const CANDIDATE_SETS = ['keyword', 'union'] as const;
export type CandidateSet = (typeof CANDIDATE_SETS)[number];

/**
 * What a query is compared with if a chunk has questions: the better of text and questions, the questions, or
 * the text.
 */
export const HYPE_COMPARISONS = ['better', 'instead', 'off'] as const;
export type HypeComparison = (typeof HYPE_COMPARISONS)[number];

/** What becomes of found chunks that cite what has changed or is gone: they stay, come after all others, or are left out. */
const STALE_CHUNKS = ['show', 'last', 'hide'] as const;
type StaleChunks = (typeof STALE_CHUNKS)[number];

/** A project's settings: key `knowledgeStore` of `<appdir>/settings.json` (docs/specification.md, "Settings"). */
export interface Settings {
  /** Tokens; chunks are limited to the smaller of this and {@link CHUNK_MAX_TOKENS}. */
  readonly maxChunkSize: number;
  /** Tokens of each piece of a section or paragraph that is longer than a chunk may be. */
  readonly pieceSize: number;
  /** Tokens; unused, reserved. */
  readonly chunkOverlap: number;
  /** Importance of `file` chunks whose frontmatter has none; 0 to 1. */
  readonly defaultImportance: number;
  /**
   * Whether a rebuild reads the sources again, and changes of files are noticed; if not, it only rebuilds the
   * index.
   */
  readonly autoReindex: boolean;
  readonly excludePatterns: readonly string[];
  readonly includePatterns: readonly string[];
  /** Whether files that git ignores, nested repositories and build folders are left out of the documentation. */
  readonly ignore: boolean;
  /** If false, searches rank by BM25 only. */
  readonly hybridRetrieval: boolean;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  readonly hypeComparison: HypeComparison;
  /**
   * How much importance counts in a merged ranking, 0 to 1; at 0 it only decides between equals of the keyword
   * list.
   */
  readonly importanceWeight: number;
  /** Chunks that only the vectors found are left out below this relevance, 0 to 1; 0 leaves none out. */
  readonly relevanceFloor: number;
  /** How long a search waits for the vector of its query before it falls back to `bm25` mode. */
  readonly queryVectorTimeoutMs: number;
  readonly staleChunks: StaleChunks;
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
  fusion: 'rrf',
  candidates: 'keyword',
  hypeComparison: 'better',
  importanceWeight: 0,
  relevanceFloor: DEFAULT_RELEVANCE_FLOOR,
  queryVectorTimeoutMs: QUERY_VECTOR_TIMEOUT_MS,
  staleChunks: 'show',
};

/** What finds most on every collection that was measured (docs/quality.md); not the default, which is specified. */
export const RECOMMENDED_SETTINGS = {
  fusion: 'blend',
  candidates: 'union',
} as const satisfies Partial<Settings>;

/** The settings, and one sentence for each entry that was invalid and has its default. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/** How long chunks are under these settings, in tokens. */
export function chunkSizes({ maxChunkSize, pieceSize }: Settings) {
  const maxTokens = Math.min(CHUNK_MAX_TOKENS, maxChunkSize);
  return { maxTokens, pieceTokens: Math.min(maxTokens, pieceSize) };
}

/**
 * Reads the value of the key `knowledgeStore`, entry by entry: a wrong value or an unknown name is
 * reported, and the default applies. `undefined` (no such key) means all defaults.
 */
export function readSettings(value: unknown): ReadSettings {
  if (value === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(value)) {
    return { settings: DEFAULT_SETTINGS, problems: [`${SETTINGS_KEY} must be an object.`] };
  }
  const entries = Object.entries(value);
  const accepted = entries.filter(([name, entry]) => isSetting(name) && RULES[name].accepts(entry));
  const problems = entries.flatMap(([name, entry]) => problemOf(name, entry));
  return { settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(accepted) }, problems };
}

const patterns: Rule = {
  accepts: (value) => Array.isArray(value) && value.length <= GLOBS_MAX && value.every(isGlob),
  must: `must be a list of at most ${GLOBS_MAX} patterns of ${GLOB_SYNTAX}`,
};

const RULES: Record<keyof Settings, Rule> = {
  maxChunkSize: wholeNumber({ min: 1, max: 1_000_000 }),
  pieceSize: wholeNumber({ min: 1, max: 1_000_000 }),
  chunkOverlap: wholeNumber({ min: 0, max: 1_000_000 }),
  defaultImportance: SHARE,
  autoReindex: FLAG,
  excludePatterns: patterns,
  includePatterns: patterns,
  ignore: FLAG,
  hybridRetrieval: FLAG,
  fusion: oneOf(FUSIONS),
  candidates: oneOf(CANDIDATE_SETS),
  hypeComparison: oneOf(HYPE_COMPARISONS),
  importanceWeight: SHARE,
  relevanceFloor: SHARE,
  queryVectorTimeoutMs: wholeNumber({ min: 1, max: 60_000 }),
  staleChunks: oneOf(STALE_CHUNKS),
};

function problemOf(name: string, value: unknown): string[] {
  if (!isSetting(name)) return [`${SETTINGS_KEY}.${name} is not a setting.`];
  const rule = RULES[name];
  return rule.accepts(value) ? [] : [`${SETTINGS_KEY}.${name} ${rule.must}.`];
}

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(RULES, name);
}

function isGlob(value: unknown): boolean {
  return typeof value === 'string' && globProblem(value) === undefined;
}
