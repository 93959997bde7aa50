import { createHash } from 'node:crypto';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import { KEPT_VECTORS_MAX, KEPT_VECTORS_MS } from '../../../domain/limits.js';
import type { Database } from '../database/driver.js';
import { prepareOnce } from '../database/statements.js';

/** The text of a stored chunk. */
interface ChunkText {
  readonly id: string;
  readonly heading?: string | null | undefined;
  readonly content: string;
}

/** Stores the vectors of chunks that are about to be deleted, so that the same text need not be embedded again. */
export function keepVectors(db: Database, chunkIds: readonly string[], now: string): void {
  const rows = prepareOnce<[string], ChunkText & VectorRow>(db, VECTORS_OF_CHUNKS).all(
    JSON.stringify(chunkIds),
  );
  keep(
    db,
    rows.map((row) => ({ ...row, hash: hashText(embeddingText(embeddedText(row))) })),
    now,
  );
}

/** Stores the vector of a source's header that is about to be changed or deleted. */
export function keepHeader(db: Database, sourceFile: string, now: string): void {
  const row = prepareOnce<[string], VectorRow & { readonly header: string }>(db, HEADER).get(
    sourceFile,
  );
  if (row !== undefined) keep(db, [{ ...row, hash: hashHeader(row.header) }], now);
}

/** Restores the kept vectors of chunks that have no vector. */
export function restoreVectors(
  db: Database,
  chunks: readonly ChunkText[],
  { model, now }: RestoringContext,
): void {
  if (chunks.length === 0 || isEmpty(db)) return;
  const restore = prepareOnce(db, RESTORE);
  for (const chunk of chunks) {
    restore.run({ id: chunk.id, hash: hashText(embeddingText(embeddedText(chunk))), model, now });
  }
}

/** Restores the kept vector of a source's header that has no vector. */
export function restoreHeader(
  db: Database,
  { sourceFile, header }: { readonly sourceFile: string; readonly header: string },
  { model }: RestoringContext,
): void {
  if (header === '' || isEmpty(db)) return;
  prepareOnce(db, RESTORE_HEADER).run({ sourceFile, model, hash: hashHeader(header) });
}

/** The model whose vectors are restored, and the time. */
export interface RestoringContext {
  readonly model: string;
  /** ISO 8601. */
  readonly now: string;
}

interface VectorRow {
  readonly model: string;
  readonly vector: Buffer;
}

function keep(
  db: Database,
  rows: readonly (VectorRow & { readonly hash: string })[],
  now: string,
): void {
  if (rows.length === 0) return;
  const insert = prepareOnce(db, KEEP);
  for (const { model, vector, hash } of rows) insert.run({ model, vector, hash, now });
  const oldest = new Date(Date.parse(now) - KEPT_VECTORS_MS).toISOString();
  prepareOnce(db, 'DELETE FROM store_kept_vectors WHERE kept_at < ?').run(oldest);
  prepareOnce(db, FORGET_SURPLUS).run();
}

function isEmpty(db: Database): boolean {
  return prepareOnce(db, 'SELECT 1 FROM store_kept_vectors LIMIT 1').get() === undefined;
}

function embeddedText({ heading, content }: ChunkText) {
  return { heading: heading ?? null, content };
}

/** Hashes a header apart from chunk texts: its vector is weighted, so a chunk with the same text cannot reuse it. */
function hashHeader(header: string): string {
  return hashText(`header\n${header}`);
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const VECTORS_OF_CHUNKS = `SELECT c.id, c.heading, c.content, e.model, e.embedding AS vector
  FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value JOIN embeddings e ON e.chunk_id = c.id`;

const HEADER = `SELECT header, model, vector FROM store_names
  WHERE source_file = ? AND vector IS NOT NULL AND model IS NOT NULL`;

const KEEP = `INSERT INTO store_kept_vectors (model, text_hash, vector, kept_at)
  VALUES (@model, @hash, @vector, @now)
  ON CONFLICT (text_hash, model) DO UPDATE SET vector = excluded.vector, kept_at = excluded.kept_at`;

const FORGET_SURPLUS = `DELETE FROM store_kept_vectors WHERE (text_hash, model) IN (
    SELECT text_hash, model FROM store_kept_vectors ORDER BY kept_at DESC LIMIT -1 OFFSET ${KEPT_VECTORS_MAX})`;

const RESTORE = `INSERT OR IGNORE INTO embeddings (chunk_id, embedding, model, created_at)
  SELECT @id, vector, model, @now FROM store_kept_vectors WHERE text_hash = @hash AND model = @model`;

const RESTORE_HEADER = `UPDATE store_names SET (model, vector) = (
    SELECT model, vector FROM store_kept_vectors WHERE text_hash = @hash AND model = @model)
  WHERE source_file = @sourceFile AND vector IS NULL
    AND EXISTS (SELECT 1 FROM store_kept_vectors WHERE text_hash = @hash AND model = @model)`;
