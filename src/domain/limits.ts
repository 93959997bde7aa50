import { formatIfLong } from './figures.js';

/**
 * Every number in docs/specification.md, named once.
 * Tokens are estimates: `estimateTokens` for chunking, `tokenCost` for budgets.
 */

/** Search (docs/specification.md, "Limits" and "Search"). */
export const DEFAULT_MAX_RESULTS = 20;
export const DEFAULT_MAX_TOKENS = 8000;
export const MAX_RESULTS_RANGE = { min: 1, max: 1000 } as const;
export const MAX_TOKENS_RANGE = { min: 1, max: 1_000_000 } as const;
export const KEYWORD_CANDIDATES = 50;
export const VECTOR_CANDIDATES = 50;
export const RRF_K = 60;
export const CHARACTERS_PER_BUDGET_TOKEN = 4;
export const REFLECTION_SEARCH_MAX_TOKENS = 3000;
export const REFLECTION_SEARCH_MAX_RESULTS = 5;
export const SIMILAR_TEXT_WORDS = 20;

/** Maximum number of projects per search. */
export const PROJECTS_MAX = 50;

/** The longest duration of a lease, so that another process soon takes over after a crash. */
export const LONGEST_LEASE_MS = 60_000;

/** How long a search waits for its retrievals to be counted (docs/specification.md, "Retrieval"). */
export const RETRIEVALS_COUNTED_WITHIN_MS = 50;
/** Maximum number of retrievals kept in memory while they cannot be written, over all projects. */
export const RETRIEVALS_WAITING_MAX = 100_000;
export const RETRY_COUNTING_MS = 250;
/** How long stopping waits for retrievals to be counted. */
export const STOP_COUNTING_MS = 2_000;

/** Limits of a query; a query beyond them is cut, or read as plain words (docs/specification.md, "Query syntax"). */
export const QUERY_MAX_CHARACTERS = 2000;
export const QUERY_MAX_TERMS = 64;
export const QUERY_MAX_PREFIXES = 8;
export const QUERY_MAX_NESTING = 16;
/** Maximum length of the field `also`. */
export const ALSO_MAX_CHARACTERS = 500;
/** Counts of the chunks that contain a word stop here. */
export const COUNTED_CHUNKS_MAX = 5000;
/** Maximum number of globs and folders per search. */
export const PATHS_MAX = 20;

/** Chunking (docs/specification.md, "Chunking"). */
export const CHUNK_MAX_TOKENS = 500;
export const TOKENS_PER_WORD = 1.3;
export const AGENT_OUTPUT_TAIL_CHARACTERS = 2000;
/**
 * Chunks of few but very long words (a minified line, a base64 blob, Chinese without spaces) are cut at this length.
 * Longer ones would exceed a search's default budget and hide everything ranked below them.
 */
export const CHUNK_MAX_CHARACTERS = 8000;

/** Files with more chunks or lines are cut by size alone. */
export const SOURCE_MAX_CHUNKS = 5000;
export const SOURCE_MAX_LINES = 50_000;

/** Texts stored by other programs are embedded up to this length; our chunks are shorter. */
export const EMBEDDED_MAX_CHARACTERS = 10 * CHUNK_MAX_CHARACTERS;

/** Importance (docs/specification.md, "Source types"). */
export const REFLECTION_IMPORTANCE = 0.8;
export const AGENT_OUTPUT_IMPORTANCE = 0.6;
export const DEFAULT_IMPORTANCE = 0.5;

/** Settings (docs/specification.md, "Settings"). */
export const DEFAULT_MAX_CHUNK_SIZE = 1000;
/** Small pieces leave more of a small budget for other chunks (docs/quality.md, "Settings that matter"). */
export const DEFAULT_PIECE_SIZE = 200;
export const DEFAULT_CHUNK_OVERLAP = 200;
export const DEFAULT_RELEVANCE_FLOOR = 0.12;

/** Limits of the text added to a prompt by the hook (docs/mcp.md, "Session hooks"). */
export const PROMPT_MIN_RELEVANCE = 0.8;
export const PROMPT_PIECES_MAX = 3;
export const PROMPT_SECTION_MAX_TOKENS = 600;

/** Limits of the text that begins a session (docs/mcp.md, "Session hooks"). */
export const SESSION_START_MIN_RELEVANCE = 0.5;
export const SESSION_START_MAX_TOKENS = 1500;

/** Upkeep (docs/specification.md, "Limits"). */
export const COMPACTION_THRESHOLD_TOKENS = 50_000;
export const THRESHOLD_RANGE = { min: 1, max: 10_000_000 } as const;
/**
 * Text per call: about 10,000 tokens of English. In any script, it and the answer fit into a context of 32,000 tokens.
 */
export const SUMMARY_TEXT_MAX_CHARACTERS = 40_000;
/** Minimum shares of a category's headings and of its tokens that a summary must keep. */
export const SUMMARY_MIN_HEADINGS_SHARE = 0.8;
export const SUMMARY_MIN_TOKENS_SHARE = 0.1;
export const PRUNE_AFTER_DAYS = 90;

/** Embeddings and HyPE (docs/specification.md, "Embedding component" and "HyPE"). */
export const EMBEDDING_DIMENSIONS = 384;
export const EMBEDDING_WINDOW_TOKENS = 254;
export const QUERY_VECTOR_TIMEOUT_MS = 1000;
/** Query vectors cached per process; with their texts at most 6 MB. */
export const QUERY_VECTORS_KEPT = 1000;
export const HYPE_QUESTIONS = 3;
export const MODEL_CALLS_PER_WINDOW = 10;
export const MODEL_CALL_WINDOW_MS = 60_000;

/** Limits of files in a project, which is untrusted (docs/operations.md, "What is read from a project"). */
export const SOURCE_FILE_MAX_BYTES = 2 * 1024 * 1024;
export const FRONTMATTER_MAX_CHARACTERS = 16 * 1024;
export const TAGS_MAX = 64;
export const TAG_MAX_CHARACTERS = 100;
export const SETTINGS_MAX_BYTES = 64 * 1024;
export const GLOBS_MAX = 100;
export const GLOB_MAX_CHARACTERS = 200;
/** Maximum number of patterns to which the braces of one pattern expand. */
export const GLOB_MAX_ALTERNATIVES = 32;

/** Limits of saved texts (docs/specification.md, "Knowledge in"). */
export const PAGE_URL_MAX_CHARACTERS = 2000;
export const NOTE_ID_MAX_CHARACTERS = 64;
export const NOTE_TITLE_MAX_CHARACTERS = 1000;
export const NOTE_CONTENT_MAX_CHARACTERS = 1_000_000;
export const DOCUMENT_PATH_MAX_CHARACTERS = 500;
/** Maximum number of folders between the project and a source; deeper files are not read. */
export const SOURCE_FOLDERS_MAX = 64;
/** Maximum number of names in the path of a document, which begins two folders below the project. */
export const DOCUMENT_PATH_MAX_NAMES = SOURCE_FOLDERS_MAX - 1;
export const DOCUMENT_CONTENT_MAX_CHARACTERS = 1_000_000;

/** Neighbours shown with a chunk. */
export const SHOWN_NEIGHBOURS = 10;
/** Maximum number of projects in the history of a user. */
export const LISTED_PROJECTS_MAX = 20;
/** Default page size of lists. */
export const LISTED_ENTRIES = 50;

/** How long a writer waits for another process before it fails with `store_unavailable`. */
export const STORE_LOCK_TIMEOUT_MS = 15_000;
export const RETRY_AFTER_SECONDS = 5;

/** How long the database of an unused project stays open, and how many may be open at once. */
export const PROJECT_IDLE_MS = 300_000;
export const OPEN_PROJECTS_MAX = 100;

/** The number of worker processes (docs/operations.md, "Workers"). */
export const WORKERS = 2;
/** Memory in MB at which a worker process is replaced. */
export const WORKER_MB = 1500;

/** In larger stores, contents are not searched for parts of mixed-case words. */
export const SCANNED_CHUNKS_MAX = 20_000;
/** Maximum number of chunks from which mixed-case words are taken. */
export const MIXED_CASE_CHUNKS_MAX = 20;

/** The number of first results that a reranking endpoint gets. */
export const RERANKED_RESULTS = 20;
/** How long a search waits for the reranker. */
export const RERANKING_TIMEOUT_MS = 800;
/** The same for a local model. */
export const LOCAL_RERANKED_RESULTS = 8;
export const LOCAL_RERANKING_TIMEOUT_MS = 3_000;
/** How long a search waits for a language model to rephrase its question. */
export const REWRITING_TIMEOUT_MS = 2_000;

/** Citations of a chunk (docs/specification.md, "Citations"). */
export const CITATIONS_PER_CHUNK = 20;
/** Maximum number of mentions looked up per text. */
export const MENTIONS_MAX = 200;
export const CITED_PATH_MAX_CHARACTERS = 255;
export const CITED_FILE_MAX_BYTES = 1024 * 1024;

/** Weight of a match in a file's names; a match in a chunk's text counts 1. */
export const NAME_WEIGHT = 0.8;
/** Chunks that are ranked by text beside names. A chunk that is not among them counts by its names alone. */
export const CHUNKS_BESIDE_NAMES = 100;
/** Limits of a search by names: sources, and chunks of all these sources together. */
export const SOURCES_BY_NAME = 50;
export const CHUNKS_BY_NAME = 500;
/** Titles, aliases and descriptions of files are cut at this length. */
export const NAME_MAX_CHARACTERS = 500;
/** Further aliases of a file are ignored. */
export const NAMES_MAX = 50;
/** Weight of the vector of a file's title and path; a chunk's own vector counts 1. */
export const HEADER_WEIGHT = 0.3;
/** The text of a file's title and path is cut at this length before it is embedded. */
export const HEADER_MAX_CHARACTERS = 300;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The rule for a number, as the second half of a sentence that begins with its name. */
export function wholeNumberRule({ min, max }: Range): string {
  return `must be a whole number from ${formatIfLong(min)} to ${formatIfLong(max)}`;
}

/** How long to keep vectors of texts that no chunk has any more, and how many. */
export const KEPT_VECTORS_MS = 30 * 24 * 3_600_000;
export const KEPT_VECTORS_MAX = 50_000;
