import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../domain/chunks/source-names.js';
import { prepared } from '../database/prepared.js';

export const NAMES_SCHEMA: readonly string[] = [
  /** What each source is found by beside its text, and the vector of its header with the weight that it has in comparisons. */
  `CREATE TABLE store_names (
    id INTEGER PRIMARY KEY NOT NULL,
    source_file TEXT NOT NULL UNIQUE,
    words TEXT NOT NULL,
    header TEXT NOT NULL,
    model TEXT,
    vector BLOB
  ) STRICT`,
  /** The words, by these ids; written together with them. */
  `CREATE VIRTUAL TABLE store_name_words USING fts5(
    words, content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
  )`,
];

type Named = Pick<SourceDocument, 'sourceFile' | 'names'>;

/** Stores what a source is found by beside its text; where that is as before, nothing is written. */
export function writeNames(db: Database, source: Named): void {
  const values = { words: nameWords(source), header: headerText(source) };
  const stored = prepared<[string], StoredNames>(
    db,
    'SELECT id, words, header FROM store_names WHERE source_file = ?',
  ).get(source.sourceFile);
  if (stored?.words === values.words && stored.header === values.header) return;
  if (stored === undefined) insertNames(db, source.sourceFile, values);
  else updateNames(db, stored, values);
}

export function forgetNames(db: Database, sourceFile: string): void {
  const remove = prepared<[string], number>(
    db,
    'DELETE FROM store_names WHERE source_file = ? RETURNING id',
  );
  const id = remove.pluck().get(sourceFile);
  if (id !== undefined) prepared(db, FORGET_WORDS).run(id);
}

/** Gives names to sources that have none: other programs do not write them. */
export function addMissingNames(db: Database, sourceFiles: Iterable<string>): void {
  const find = prepared(db, 'SELECT 1 FROM store_names WHERE source_file = ?');
  for (const sourceFile of new Set(sourceFiles))
    if (find.get(sourceFile) === undefined) writeNames(db, { sourceFile });
}

interface NameTexts {
  readonly words: string;
  readonly header: string;
}

interface StoredNames extends NameTexts {
  readonly id: number;
}

function insertNames(db: Database, sourceFile: string, { words, header }: NameTexts): void {
  const { lastInsertRowid: id } = prepared(
    db,
    'INSERT INTO store_names (source_file, words, header) VALUES (?, ?, ?)',
  ).run(sourceFile, words, header);
  prepared(db, ADD_WORDS).run(id, words);
}

/** Discards the vector of a header that has changed. */
function updateNames(db: Database, { id, header: before }: StoredNames, texts: NameTexts): void {
  const { words, header } = texts;
  prepared(db, 'UPDATE store_names SET words = ?, header = ? WHERE id = ?').run(words, header, id);
  if (header !== before)
    prepared(db, 'UPDATE store_names SET model = NULL, vector = NULL WHERE id = ?').run(id);
  prepared(db, FORGET_WORDS).run(id);
  prepared(db, ADD_WORDS).run(id, words);
}

const ADD_WORDS = 'INSERT INTO store_name_words (rowid, words) VALUES (?, ?)';
const FORGET_WORDS = 'DELETE FROM store_name_words WHERE rowid = ?';
