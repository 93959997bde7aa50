/**
 * The current schema, as text (docs/specification.md, "Database"; `docs/storage.md`). SQLite
 * keeps a statement as it was written, so each object is compared with its text here.
 */

export const TABLES: Readonly<Record<string, string>> = {
  chunks: `CREATE TABLE chunks (
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
  )`,
  embeddings: `CREATE TABLE embeddings (
    chunk_id TEXT PRIMARY KEY NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
    embedding BLOB NOT NULL,
    model TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`,
  /** The sources that this service indexed. */
  store_sources: `CREATE TABLE store_sources (
    source_file TEXT PRIMARY KEY NOT NULL,
    source_type TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    chunk_count INTEGER NOT NULL
  )`,
  /** The sources that replace another one. */
  store_supersessions: `CREATE TABLE store_supersessions (
    source_file TEXT PRIMARY KEY NOT NULL,
    supersedes TEXT NOT NULL
  )`,
  /** The chunks that this service wrote; all others belong to somebody else. */
  store_owned: `CREATE TABLE store_owned (
    chunk_id TEXT PRIMARY KEY NOT NULL REFERENCES chunks(id) ON DELETE CASCADE
  )`,
  store_state: `CREATE TABLE store_state (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
  )`,
  store_leases: `CREATE TABLE store_leases (
    name TEXT PRIMARY KEY NOT NULL,
    holder TEXT NOT NULL,
    expires_at TEXT NOT NULL
  )`,
  /** Of each row of `embeddings` its vector in one byte per dimension; NULL until it is known. */
  store_codes: `CREATE TABLE store_codes (
    row INTEGER PRIMARY KEY NOT NULL,
    code BLOB
  )`,
  /** The source types of the chunks by their rows, so that a filter need not read the chunks themselves. */
  store_types: `CREATE TABLE store_types (
    row INTEGER PRIMARY KEY NOT NULL,
    source_type TEXT
  )`,
  /** What the chunks cite: a JSON array each, as it was when the chunk was written. */
  store_citations: `CREATE TABLE store_citations (
    chunk_id TEXT PRIMARY KEY NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
    cited_at TEXT NOT NULL,
    citations TEXT NOT NULL
  )`,
};

export const INDEXES: Readonly<Record<string, string>> = {
  chunks_by_source_file: 'CREATE INDEX chunks_by_source_file ON chunks(source_file)',
  chunks_by_source_type: 'CREATE INDEX chunks_by_source_type ON chunks(source_type)',
  /** Lets background work page through the newest chunks without sorting all of them. */
  chunks_by_created_at: 'CREATE INDEX chunks_by_created_at ON chunks(created_at)',
  chunks_by_updated_at: 'CREATE INDEX chunks_by_updated_at ON chunks(updated_at)',
};

export const FULL_TEXT_INDEX = `CREATE VIRTUAL TABLE chunks_fts USING fts5(
    heading, content, content='chunks', content_rowid='rowid', tokenize='porter unicode61'
  )`;

/**
 * What `bigramText` makes of the chunks that hold Chinese, Japanese or Korean, by their rowids; kept
 * in step by this service, not by triggers (docs/decisions/0012-cjk-bigrams.md). The first column
 * is the smaller in an index: two bytes less for each token of a row.
 */
export const CJK_INDEX = `CREATE VIRTUAL TABLE store_cjk USING fts5(
    content, heading, content='', contentless_delete=1, tokenize='porter unicode61'
  )`;

const ADD_TO_INDEX =
  'INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content)';
const REMOVE_FROM_INDEX =
  "INSERT INTO chunks_fts(chunks_fts, rowid, heading, content) VALUES ('delete', old.rowid, old.heading, old.content)";

/** An update that changes no text, such as a count, does not touch the index. */
export const CHUNK_TRIGGERS: Readonly<Record<string, string>> = {
  chunks_ai: `CREATE TRIGGER chunks_ai AFTER INSERT ON chunks BEGIN
    ${ADD_TO_INDEX};
  END`,
  chunks_ad: `CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
    ${REMOVE_FROM_INDEX};
  END`,
  chunks_au: `CREATE TRIGGER chunks_au AFTER UPDATE OF heading, content ON chunks BEGIN
    ${REMOVE_FROM_INDEX};
    ${ADD_TO_INDEX};
  END`,
};

/** They keep `store_codes` in step, whoever writes; the codes themselves are made by this service. */
export const EMBEDDING_TRIGGERS: Readonly<Record<string, string>> = {
  /** The row may be there already: a REPLACE deletes the former vector without telling `embeddings_ad`. */
  embeddings_ai: `CREATE TRIGGER embeddings_ai AFTER INSERT ON embeddings BEGIN
    DELETE FROM store_codes WHERE row = new.rowid;
    INSERT INTO store_codes(row) VALUES (new.rowid);
  END`,
  embeddings_ad: `CREATE TRIGGER embeddings_ad AFTER DELETE ON embeddings BEGIN
    DELETE FROM store_codes WHERE row = old.rowid;
  END`,
  /** A chunk that is renamed keeps its row, and with it its code. */
  embeddings_au: `CREATE TRIGGER embeddings_au AFTER UPDATE ON embeddings
    WHEN (new.rowid, new.embedding) IS NOT (old.rowid, old.embedding) BEGIN
    DELETE FROM store_codes WHERE row IN (old.rowid, new.rowid);
    INSERT INTO store_codes(row) VALUES (new.rowid);
  END`,
};

const FORGET_TYPE = 'DELETE FROM store_types WHERE row = old.rowid';

/** They keep `store_types` up to date, whoever writes. */
export const TYPE_TRIGGERS: Readonly<Record<string, string>> = {
  /** The row may be there already: a REPLACE deletes the former chunk without telling `chunks_type_ad`. */
  chunks_type_ai: `CREATE TRIGGER chunks_type_ai AFTER INSERT ON chunks BEGIN
    DELETE FROM store_types WHERE row = new.rowid;
    INSERT INTO store_types(row, source_type) VALUES (new.rowid, new.source_type);
  END`,
  chunks_type_ad: `CREATE TRIGGER chunks_type_ad AFTER DELETE ON chunks BEGIN
    ${FORGET_TYPE};
  END`,
  chunks_type_au: `CREATE TRIGGER chunks_type_au AFTER UPDATE OF source_type ON chunks
    WHEN new.source_type IS NOT old.source_type BEGIN
    ${FORGET_TYPE};
    INSERT INTO store_types(row, source_type) VALUES (new.rowid, new.source_type);
  END`,
};

/** FTS5 writes up to 20 parts, in each of which a search looks for each word; they are merged into one. */
export const REBUILD_FULL_TEXT = `
  INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild');
  INSERT INTO chunks_fts(chunks_fts) VALUES ('optimize')`;

export const FILL_TYPES = `DELETE FROM store_types;
  INSERT INTO store_types(row, source_type) SELECT rowid, source_type FROM chunks`;

export const FORGET_CODES = `DELETE FROM store_codes;
  INSERT INTO store_codes(row) SELECT rowid FROM embeddings`;

export const TRIGGERS = { ...CHUNK_TRIGGERS, ...TYPE_TRIGGERS, ...EMBEDDING_TRIGGERS };

export const VIRTUAL_TABLES: Readonly<Record<string, string>> = {
  chunks_fts: FULL_TEXT_INDEX,
  store_cjk: CJK_INDEX,
};

/** What former releases have made, and this one drops: name and type, in the order of dropping. */
export const RETIRED: Readonly<Record<string, string>> = {
  embeddings_bi: 'trigger',
  store_vector_changes: 'table',
  store_neighbours: 'table',
  store_neighbours_info: 'table',
  store_neighbours_chunks: 'table',
  store_neighbours_rowids: 'table',
  store_neighbours_vector_chunks00: 'table',
};
