import { TRIGGERS } from './triggers.js';

/**
 * The tables (docs/specification.md, "Database"; docs/storage.md). They are STRICT, so that even other programs can
 * only store values of the columns' types.
 */
const TABLES: readonly string[] = [
  `CREATE TABLE chunks (
    id TEXT PRIMARY KEY NOT NULL,
    source_type TEXT NOT NULL,
    source_file TEXT NOT NULL,
    project_path TEXT NOT NULL,
    chunk_index INTEGER NOT NULL,
    heading TEXT,
    content TEXT NOT NULL,
    tags TEXT,
    importance REAL NOT NULL DEFAULT 0.5,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_retrieved_at TEXT,
    retrieval_count INTEGER NOT NULL DEFAULT 0,
    hype_queries TEXT,
    hype_embeddings BLOB
  ) STRICT`,
  `CREATE TABLE embeddings (
    chunk_id TEXT PRIMARY KEY NOT NULL REFERENCES chunks(id) ON DELETE CASCADE ON UPDATE CASCADE,
    embedding BLOB NOT NULL,
    model TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  /**
   * The sources that this service indexed. The chunks of these sources are its own. `lines`: JSON list of the line at
   * which each chunk begins, by its index.
   */
  `CREATE TABLE store_sources (
    source_file TEXT PRIMARY KEY NOT NULL,
    source_type TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    lines TEXT,
    expires TEXT
  ) STRICT`,
  /** Which source replaces which other one. */
  `CREATE TABLE store_supersessions (
    source_file TEXT PRIMARY KEY NOT NULL,
    supersedes TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE store_state (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE store_leases (
    name TEXT PRIMARY KEY NOT NULL,
    holder TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT`,
  /** The vectors of texts that are no longer in any chunk, in case the texts come back. */
  `CREATE TABLE store_kept_vectors (
    model TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    kept_at TEXT NOT NULL,
    PRIMARY KEY (text_hash, model)
  ) STRICT, WITHOUT ROWID`,
  /** Rowids of chunks whose side words may have to be added or removed. */
  `CREATE TABLE side_words_changes (
    row INTEGER PRIMARY KEY NOT NULL
  ) STRICT`,
  /** The citations of each chunk: what the chunk cited when it was written, and whether that is still current. */
  `CREATE TABLE store_citations (
    id INTEGER PRIMARY KEY NOT NULL,
    chunk_id TEXT NOT NULL REFERENCES chunks(id) ON DELETE CASCADE ON UPDATE CASCADE,
    path TEXT NOT NULL,
    file_hash TEXT NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    lines_hash TEXT,
    cited_at TEXT NOT NULL,
    state TEXT NOT NULL,
    moved_to INTEGER
  ) STRICT`,
];

const INDEXES: readonly string[] = [
  'CREATE INDEX chunks_by_source_file ON chunks(source_file)',
  'CREATE INDEX chunks_by_source_type ON chunks(source_type)',
  /** Lets background work read the newest chunks page by page, without sorting all of them. */
  'CREATE INDEX chunks_by_created_at ON chunks(created_at)',
  'CREATE INDEX chunks_by_updated_at ON chunks(updated_at)',
  'CREATE INDEX citations_by_chunk ON store_citations(chunk_id)',
  'CREATE INDEX citations_by_path ON store_citations(path)',
  /** Every search looks up the sources that have expired. */
  'CREATE INDEX store_sources_expiring ON store_sources(expires) WHERE expires IS NOT NULL',
  'CREATE INDEX store_kept_vectors_by_time ON store_kept_vectors(kept_at)',
];

const FULL_TEXT_INDEX = `CREATE VIRTUAL TABLE chunks_fts USING fts5(
    heading, content, content='chunks', content_rowid='rowid', tokenize='porter unicode61 remove_diacritics 2'
  )`;

/**
 * The `SideWords` of chunks, by rowid. Triggers only queue what has changed, since they cannot split letters
 * (docs/decisions/0012-side-words.md). `content` comes first, because the first column takes two bytes less for each
 * token of a row. Marks count as letters, because Thai vowels are marks; marks on Latin letters are still dropped.
 */
const SIDE_WORDS = `CREATE VIRTUAL TABLE side_words USING fts5(
    content, heading, extra, content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
  )`;

const NAMES_SCHEMA: readonly string[] = [
  /** The names by which a source is found, and the vector of its header, multiplied by the weight of headers. */
  `CREATE TABLE store_names (
    id INTEGER PRIMARY KEY NOT NULL,
    source_file TEXT NOT NULL UNIQUE,
    words TEXT NOT NULL,
    header TEXT NOT NULL,
    model TEXT,
    vector BLOB
  ) STRICT`,
  `CREATE VIRTUAL TABLE store_name_words USING fts5(
    words, content='store_names', content_rowid='id',
    tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
  )`,
];

/** The statements that create the schema, in order. */
export const STATEMENTS: readonly string[] = [
  ...TABLES,
  ...INDEXES,
  FULL_TEXT_INDEX,
  SIDE_WORDS,
  ...NAMES_SCHEMA,
  ...TRIGGERS,
];
