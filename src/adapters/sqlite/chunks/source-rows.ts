import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../domain/chunks/source-names.js';
import { prepareOnce } from '../database/statements.js';
import { linesColumn } from './chunk-lines.js';
import { keepHeader, type RestoringContext, restoreHeader } from './kept-vectors.js';

/** The columns of a chunk that are compared with a new version of its source. */
export interface StoredText {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

/** The stored chunks of a source, in order. */
export function readChunks(db: Database, sourceFile: string): readonly StoredText[] {
  return prepareOnce<[string], StoredText>(
    db,
    'SELECT id, heading, content FROM chunks WHERE source_file = ? ORDER BY chunk_index',
  ).all(sourceFile);
}

/** The content hash with which a source was indexed; undefined if the source is not indexed. */
export function readContentHash(db: Database, sourceFile: string): string | undefined {
  return prepareOnce<[string], string>(
    db,
    'SELECT content_hash FROM store_sources WHERE source_file = ?',
  )
    .pluck()
    .get(sourceFile);
}

export function forgetSource(db: Database, sourceFile: string, now: string): void {
  keepHeader(db, sourceFile, now);
  prepareOnce(db, 'DELETE FROM store_sources WHERE source_file = ?').run(sourceFile);
  rememberSupersession(db, { sourceFile });
  prepareOnce(db, 'DELETE FROM store_names WHERE source_file = ?').run(sourceFile);
}

/** Stores which other source this one replaces, if any. */
function rememberSupersession(
  db: Database,
  { sourceFile, supersedes }: Pick<SourceDocument, 'sourceFile' | 'supersedes'>,
): void {
  prepareOnce(db, 'DELETE FROM store_supersessions WHERE source_file = ?').run(sourceFile);
  if (supersedes === undefined) return;
  prepareOnce(db, 'INSERT INTO store_supersessions (source_file, supersedes) VALUES (?, ?)').run(
    sourceFile,
    supersedes,
  );
}

export function rememberSource(
  db: Database,
  document: SourceDocument,
  context: RestoringContext,
): void {
  prepareOnce(
    db,
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count, lines, expires)
     VALUES (@sourceFile, @sourceType, @contentHash, @count, @lines, @expires)
     ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type, content_hash = excluded.content_hash,
       chunk_count = excluded.chunk_count, lines = excluded.lines, expires = excluded.expires`,
  ).run({
    sourceFile: document.sourceFile,
    sourceType: document.sourceType,
    contentHash: document.contentHash,
    count: document.chunks.length,
    lines: linesColumn(document.chunks),
    expires: document.expires ?? null,
  });
  rememberSupersession(db, document);
  writeNames(db, document, context);
}

type Named = Pick<SourceDocument, 'sourceFile' | 'names'>;

/** Stores the names of a source, and discards the vector of a changed header. */
function writeNames(db: Database, source: Named, context: RestoringContext): void {
  const header = headerText(source);
  const former = readHeader(db, source.sourceFile);
  if (former !== undefined && former !== header) keepHeader(db, source.sourceFile, context.now);
  prepareOnce(
    db,
    `INSERT INTO store_names AS n (source_file, words, header) VALUES (@sourceFile, @words, @header)
     ON CONFLICT (source_file) DO UPDATE SET words = excluded.words, header = excluded.header,
       model = iif(n.header = excluded.header, n.model, NULL),
       vector = iif(n.header = excluded.header, n.vector, NULL)
     WHERE n.words <> excluded.words OR n.header <> excluded.header`,
  ).run({
    sourceFile: source.sourceFile,
    words: nameWords(source),
    header,
  });
  if (former !== header) restoreHeader(db, { sourceFile: source.sourceFile, header }, context);
}

function readHeader(db: Database, sourceFile: string): string | undefined {
  const find = 'SELECT header FROM store_names WHERE source_file = ?';
  return prepareOnce<[string], string>(db, find).pluck().get(sourceFile);
}

/** The source files of those chunks whose source is not indexed, because other programs wrote them. */
export function foreignFiles(db: Database, chunkIds: readonly string[]): readonly string[] {
  const find = `SELECT DISTINCT c.source_file FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
    WHERE NOT EXISTS (SELECT 1 FROM store_sources s WHERE s.source_file = c.source_file)`;
  return prepareOnce<[string], string>(db, find).pluck().all(JSON.stringify(chunkIds));
}

/** Deletes the names of those source files that no longer have a chunk. */
export function forgetNames(db: Database, sourceFiles: readonly string[]): void {
  const forget = prepareOnce(
    db,
    `DELETE FROM store_names AS n WHERE source_file = ?
       AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.source_file = n.source_file)`,
  );
  for (const sourceFile of sourceFiles) forget.run(sourceFile);
}

/** Gives names to sources that have none, because other programs do not write names. */
export function addMissingNames(db: Database, sourceFiles: Iterable<string>): void {
  const find = prepareOnce(db, 'SELECT 1 FROM store_names WHERE source_file = ?');
  for (const sourceFile of new Set(sourceFiles))
    if (find.get(sourceFile) === undefined) writeNames(db, { sourceFile }, { model: '', now: '' });
}
