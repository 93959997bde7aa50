import { CITATIONS_INDEXES, CITATIONS_TABLE } from './citations-table.js';

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
  /** Rows of chunks that may belong into `store_cjk` and are not there yet, or no longer. */
  store_cjk_changes: `CREATE TABLE store_cjk_changes (
    row INTEGER PRIMARY KEY NOT NULL
  )`,
  store_citations: CITATIONS_TABLE,
};

export const INDEXES: Readonly<Record<string, string>> = {
  chunks_by_source_file: 'CREATE INDEX chunks_by_source_file ON chunks(source_file)',
  chunks_by_source_type: 'CREATE INDEX chunks_by_source_type ON chunks(source_type)',
  /** Lets background work page through the newest chunks without sorting all of them. */
  chunks_by_created_at: 'CREATE INDEX chunks_by_created_at ON chunks(created_at)',
  ...CITATIONS_INDEXES,
  chunks_by_updated_at: 'CREATE INDEX chunks_by_updated_at ON chunks(updated_at)',
};

export const FULL_TEXT_INDEX = fullTextIndex('chunks_fts', 'chunks');

export function fullTextIndex(name: string, rows: string): string {
  return `CREATE VIRTUAL TABLE ${name} USING fts5(
    heading, content, content='${rows}', content_rowid='rowid', tokenize='porter unicode61'
  )`;
}

/**
 * What `bigramText` makes of the chunks that hold Chinese, Japanese or Korean, by their rowids; triggers only note
 * what has changed, since they cannot split letters (docs/decisions/0012-cjk-bigrams.md). The first column
 * is the smaller in an index: two bytes less for each token of a row.
 */
export const CJK_INDEX = `CREATE VIRTUAL TABLE store_cjk USING fts5(
    content, heading, content='', contentless_delete=1, tokenize='porter unicode61'
  )`;

const ADD_TO_INDEX =
  'INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content)';
const REMOVE_FROM_INDEX =
  "INSERT INTO chunks_fts(chunks_fts, rowid, heading, content) VALUES ('delete', old.rowid, old.heading, old.content)";

/** The CREATE statements of triggers: of each, after what it runs, and what. */
function triggers(
  list: Readonly<Record<string, readonly [after: string, statements: string]>>,
): Readonly<Record<string, string>> {
  const statements = Object.entries(list).map(([name, [after, body]]) => {
    return [name, `CREATE TRIGGER ${name} AFTER ${after} BEGIN\n    ${body};\n  END`] as const;
  });
  return Object.fromEntries(statements);
}

/** An update that changes no text, such as a count, does not touch the index. */
export const CHUNK_TRIGGERS = triggers({
  chunks_ai: ['INSERT ON chunks', ADD_TO_INDEX],
  chunks_ad: ['DELETE ON chunks', REMOVE_FROM_INDEX],
  chunks_au: ['UPDATE OF heading, content ON chunks', `${REMOVE_FROM_INDEX}; ${ADD_TO_INDEX}`],
});

/** A REPLACE deletes a row without telling a trigger, so one may be forgotten before it is inserted. */
function forget(table: string, row: 'old' | 'new'): string {
  return `DELETE FROM ${table} WHERE row = ${row}.rowid`;
}

const NEW_CODE = `${forget('store_codes', 'new')}; INSERT INTO store_codes(row) VALUES (new.rowid)`;

/** They keep `store_codes` in step, whoever writes; the codes themselves are made by this service. */
export const EMBEDDING_TRIGGERS = triggers({
  embeddings_ai: ['INSERT ON embeddings', NEW_CODE],
  embeddings_ad: ['DELETE ON embeddings', forget('store_codes', 'old')],
  /** A chunk that is renamed keeps its row, and with it its code. */
  embeddings_au: [
    'UPDATE ON embeddings WHEN (new.rowid, new.embedding) IS NOT (old.rowid, old.embedding)',
    `${forget('store_codes', 'old')}; ${NEW_CODE}`,
  ],
});

const NEW_TYPE = `${forget('store_types', 'new')};
    INSERT INTO store_types(row, source_type) VALUES (new.rowid, new.source_type)`;

/** They keep `store_types` up to date, whoever writes. */
export const TYPE_TRIGGERS = triggers({
  chunks_type_ai: ['INSERT ON chunks', NEW_TYPE],
  chunks_type_ad: ['DELETE ON chunks', forget('store_types', 'old')],
  chunks_type_au: [
    'UPDATE OF source_type ON chunks WHEN new.source_type IS NOT old.source_type',
    `${forget('store_types', 'old')}; ${NEW_TYPE}`,
  ],
});

/** Whether a row may have letters of Chinese, Japanese or Korean: those take more than a byte each. */
export function hasLongLetters(row: string): string {
  return [`${row}.content`, `${row}.heading`]
    .map((text) => `length(CAST(${text} AS TEXT)) <> length(CAST(${text} AS BLOB))`)
    .join(' OR ');
}

function note(row: 'old' | 'new'): string {
  return `${forget('store_cjk_changes', row)};
    INSERT INTO store_cjk_changes(row) VALUES (${row}.rowid)`;
}

/** They note the rows that `store_cjk` does not know, whoever writes. */
export const CJK_TRIGGERS = triggers({
  chunks_cjk_ai: [`INSERT ON chunks WHEN ${hasLongLetters('new')}`, note('new')],
  chunks_cjk_ad: [`DELETE ON chunks WHEN ${hasLongLetters('old')}`, note('old')],
  chunks_cjk_au: [
    `UPDATE OF heading, content ON chunks WHEN ${hasLongLetters('old')} OR ${hasLongLetters('new')}`,
    note('new'),
  ],
});

export const NOTE_CJK = `INSERT INTO store_cjk(store_cjk) VALUES ('delete-all');
  DELETE FROM store_cjk_changes;
  INSERT INTO store_cjk_changes(row) SELECT rowid FROM chunks WHERE ${hasLongLetters('chunks')}`;

/** FTS5 writes up to 20 parts, in each of which a search looks for each word; they are merged into one. */
export const REBUILD_FULL_TEXT = `
  INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild');
  INSERT INTO chunks_fts(chunks_fts) VALUES ('optimize')`;

export const FILL_TYPES = `DELETE FROM store_types;
  INSERT INTO store_types(row, source_type) SELECT rowid, source_type FROM chunks`;

export const FORGET_CODES = `DELETE FROM store_codes;
  INSERT INTO store_codes(row) SELECT rowid FROM embeddings`;

/** They keep up to date what a search for words reads. */
export const INDEXING_TRIGGERS = { ...CHUNK_TRIGGERS, ...CJK_TRIGGERS, ...TYPE_TRIGGERS };

export const TRIGGERS = { ...INDEXING_TRIGGERS, ...EMBEDDING_TRIGGERS };

export const VIRTUAL_TABLES: Readonly<Record<string, string>> = {
  chunks_fts: FULL_TEXT_INDEX,
  store_cjk: CJK_INDEX,
};
