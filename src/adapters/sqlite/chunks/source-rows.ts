import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../domain/chunks/source-names.js';
import { prepared } from '../database/statements.js';

/** A chunk as far as it is compared. */
export interface StoredText {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

/** What is stored of a source, in the order of places. */
export function chunksOf(db: Database, sourceFile: string): readonly StoredText[] {
  return prepared<[string], StoredText>(
    db,
    'SELECT id, heading, content FROM chunks WHERE source_file = ? ORDER BY chunk_index',
  ).all(sourceFile);
}

/** The content hash with which a source was indexed; undefined if it is not. */
export function contentHashOf(db: Database, sourceFile: string): string | undefined {
  return prepared<[string], string>(
    db,
    'SELECT content_hash FROM store_sources WHERE source_file = ?',
  )
    .pluck()
    .get(sourceFile);
}

export function forgetSource(db: Database, sourceFile: string): void {
  prepared(db, 'DELETE FROM store_sources WHERE source_file = ?').run(sourceFile);
  rememberSupersession(db, { sourceFile });
  forgetNames(db, sourceFile);
}

/** Remembers what a source replaces, if it replaces another one. */
function rememberSupersession(
  db: Database,
  { sourceFile, supersedes }: Pick<SourceDocument, 'sourceFile' | 'supersedes'>,
): void {
  prepared(db, 'DELETE FROM store_supersessions WHERE source_file = ?').run(sourceFile);
  if (supersedes === undefined) return;
  prepared(db, 'INSERT INTO store_supersessions (source_file, supersedes) VALUES (?, ?)').run(
    sourceFile,
    supersedes,
  );
}

export function rememberSource(db: Database, document: SourceDocument): void {
  prepared(
    db,
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (@sourceFile, @sourceType, @contentHash, @count)
     ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type,
       content_hash = excluded.content_hash, chunk_count = excluded.chunk_count`,
  ).run({
    sourceFile: document.sourceFile,
    sourceType: document.sourceType,
    contentHash: document.contentHash,
    count: document.chunks.length,
  });
  rememberSupersession(db, document);
  writeNames(db, document);
}

type Named = Pick<SourceDocument, 'sourceFile' | 'names'>;

/** Stores what a source is found by beside its text; where that is as before, nothing is written. */
function writeNames(db: Database, source: Named): void {
  const values = { words: nameWords(source), header: headerText(source) };
  const stored = prepared<[string], StoredNames>(
    db,
    'SELECT id, words, header FROM store_names WHERE source_file = ?',
  ).get(source.sourceFile);
  if (stored?.words === values.words && stored.header === values.header) return;
  if (stored === undefined) insertNames(db, source.sourceFile, values);
  else updateNames(db, stored, values);
}

function forgetNames(db: Database, sourceFile: string): void {
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
