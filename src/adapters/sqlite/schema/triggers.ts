const ADD_TO_INDEX =
  'INSERT INTO chunks_fts(rowid, heading, content) VALUES (new.rowid, new.heading, new.content)';
const REMOVE_FROM_INDEX =
  "INSERT INTO chunks_fts(chunks_fts, rowid, heading, content) VALUES ('delete', old.rowid, old.heading, old.content)";

function trigger(name: string, after: string, statements: string): string {
  return `CREATE TRIGGER ${name} AFTER ${after} BEGIN\n    ${statements};\n  END`;
}

/** Keep `chunks_fts` up to date. An update that changes no text, such as a count, does not touch the index. */
const CHUNK_TRIGGERS = [
  trigger('chunks_ai', 'INSERT ON chunks', ADD_TO_INDEX),
  trigger('chunks_ad', 'DELETE ON chunks', REMOVE_FROM_INDEX),
  trigger(
    'chunks_au',
    'UPDATE OF heading, content ON chunks',
    `${REMOVE_FROM_INDEX}; ${ADD_TO_INDEX}`,
  ),
];

const ADD_NAMES = 'INSERT INTO store_name_words(rowid, words) VALUES (new.id, new.words)';
const REMOVE_NAMES =
  "INSERT INTO store_name_words(store_name_words, rowid, words) VALUES ('delete', old.id, old.words)";

const NAMES_TRIGGERS = [
  trigger('store_names_ai', 'INSERT ON store_names', ADD_NAMES),
  trigger('store_names_ad', 'DELETE ON store_names', REMOVE_NAMES),
  trigger('store_names_au', 'UPDATE OF words ON store_names', `${REMOVE_NAMES}; ${ADD_NAMES}`),
];

/** Whether a row may have side words: it has characters of more than one byte. */
export function hasLongLetters(row: string): string {
  return ['content', 'heading']
    .map((column) => `length(${row}.${column}) <> length(CAST(${row}.${column} AS BLOB))`)
    .join(' OR ');
}

function note(row: 'old' | 'new'): string {
  return `INSERT OR REPLACE INTO side_words_changes(row) VALUES (${row}.rowid)`;
}

/** Queue rows for `side_words`, including those that other programs write. */
const SIDE_WORDS_TRIGGERS = [
  trigger('chunks_side_ai', `INSERT ON chunks WHEN ${hasLongLetters('new')}`, note('new')),
  trigger('chunks_side_ad', `DELETE ON chunks WHEN ${hasLongLetters('old')}`, note('old')),
  trigger(
    'chunks_side_au',
    `UPDATE OF heading, content ON chunks WHEN ${hasLongLetters('old')} OR ${hasLongLetters('new')}`,
    note('new'),
  ),
];

/**
 * SQL for a vector that only another program writes: zero, or with values that are not finite. It would count as
 * complete, and be near everything. A value that is not finite has an exponent of all ones, which shows in the last of
 * its four bytes. That byte also rejects finite values above 1.7e38.
 */
const UNUSABLE_VECTOR = `ltrim(hex(new.embedding), '08') = '' OR EXISTS (
      SELECT 1 FROM (WITH RECURSIVE at(byte) AS (
        SELECT 4 UNION ALL SELECT byte + 4 FROM at WHERE byte + 4 <= min(length(new.embedding), 8192))
      SELECT byte FROM at) WHERE hex(substr(new.embedding, byte, 1)) IN ('7F', 'FF'))`;

const REMOVE_VECTOR = 'DELETE FROM embeddings WHERE chunk_id = new.chunk_id';

const VECTOR_TRIGGERS = [
  trigger('embeddings_ai', `INSERT ON embeddings WHEN ${UNUSABLE_VECTOR}`, REMOVE_VECTOR),
  trigger(
    'embeddings_au',
    `UPDATE OF embedding ON embeddings WHEN ${UNUSABLE_VECTOR}`,
    REMOVE_VECTOR,
  ),
];

/** The triggers on each row of chunks and vectors; adoption drops them while it copies rows. */
export const ROW_TRIGGERS = [...CHUNK_TRIGGERS, ...SIDE_WORDS_TRIGGERS, ...VECTOR_TRIGGERS].map(
  (sql) => ({
    name: sql.split(' ')[2] ?? '',
    sql,
  }),
);

export const TRIGGERS: readonly string[] = [
  ...CHUNK_TRIGGERS,
  ...NAMES_TRIGGERS,
  ...SIDE_WORDS_TRIGGERS,
  ...VECTOR_TRIGGERS,
];
