import type { Database } from 'better-sqlite3';
import { chunkId, type DraftChunk, type SourceDocument } from '../../../domain/chunks/chunk.js';
import { addToCjkIndex, removeFromCjkIndex } from '../keyword/cjk-index.js';
import { type KeptRow, type OwnedRow, type PlacedDraft, planRows } from './source-plan.js';

/** What a source's chunks are written with, besides themselves. */
export interface WritingContext {
  readonly projectPath: string;
  /** ISO 8601. */
  readonly now: string;
}

/** Deletes what this service wrote for a source. */
export function removeSource(db: Database, sourceFile: string): void {
  deleteChunks(
    db,
    ownedChunks(db, sourceFile).map(({ id }) => id),
  );
  db.prepare('DELETE FROM store_sources WHERE source_file = ?').run(sourceFile);
}

/** Deletes chunks and their vectors; a database of another hand may not cascade. */
export function deleteChunks(db: Database, ids: readonly string[]): void {
  removeFromCjkIndex(db, ids);
  const list = JSON.stringify(ids);
  for (const [table, column] of CHUNK_ID_COLUMNS.toReversed()) {
    db.prepare(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(
      list,
    );
  }
}

/**
 * Makes the chunks of a source those of the document, inside a write transaction. A row whose text
 * is still there is kept, at its new place where it moved; the others are deleted or inserted.
 */
export function writeSource(db: Database, document: SourceDocument, context: WritingContext): void {
  db.pragma('defer_foreign_keys = ON');
  const plan = planRows(ownedChunks(db, document.sourceFile), draftsToWrite(db, document));
  deleteChunks(
    db,
    plan.dropped.map(({ id }) => id),
  );
  moveRows(db, plan.kept);
  for (const { draft, place } of plan.kept) updateRow(db, draft, { document, place, context });
  for (const { draft, place } of plan.added) insertRow(db, draft, { document, place, context });
  db.prepare(
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
}

const CHUNK_ID_COLUMNS = [
  ['chunks', 'id'],
  ['embeddings', 'chunk_id'],
  ['store_owned', 'chunk_id'],
] as const;

interface Target {
  readonly document: SourceDocument;
  readonly place: number;
  readonly context: WritingContext;
}

function ownedChunks(db: Database, sourceFile: string): readonly OwnedRow[] {
  return db
    .prepare<[string], OwnedRow>(
      `SELECT c.id, c.chunk_index, c.heading, c.content FROM chunks c
       JOIN store_owned o ON o.chunk_id = c.id WHERE c.source_file = ? ORDER BY c.chunk_index`,
    )
    .all(sourceFile);
}

/** The drafts with their ids, without those whose id a row of another hand holds. */
function draftsToWrite(db: Database, document: SourceDocument): readonly PlacedDraft[] {
  const drafts = document.chunks.map((draft, place) => ({
    id: chunkId(document.sourceFile, place),
    place,
    draft,
  }));
  const foreign = db
    .prepare<[string], { readonly id: string }>(
      `SELECT c.id FROM json_each(?) j JOIN chunks c ON c.id = j.value
       WHERE c.id NOT IN (SELECT chunk_id FROM store_owned)`,
    )
    .all(JSON.stringify(drafts.map(({ id }) => id)));
  const taken = new Set(foreign.map(({ id }) => id));
  return drafts.filter(({ id }) => !taken.has(id));
}

/** In two steps, since rows may change places with each other. */
function moveRows(db: Database, kept: readonly KeptRow[]): void {
  const moved = kept.filter(({ id, formerId }) => id !== formerId);
  for (const { formerId } of moved) renameChunk(db, formerId, parkedId(formerId));
  for (const { id, formerId } of moved) renameChunk(db, parkedId(formerId), id);
}

/** No source file begins with a colon of this kind, so no id does. */
function parkedId(id: string): string {
  return `::moving::${id}`;
}

function renameChunk(db: Database, from: string, to: string): void {
  for (const [table, column] of CHUNK_ID_COLUMNS) {
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(to, from);
  }
}

/** Writes only where something besides the text differs, so that an unchanged row is not rewritten. */
function updateRow(db: Database, draft: DraftChunk, target: Target): void {
  db.prepare(
    `UPDATE chunks SET chunk_index = @place, tags = @tags, importance = @importance,
       source_type = @sourceType, updated_at = @now
     WHERE id = @id AND (chunk_index, tags, importance, source_type)
       IS NOT (@place, @tags, @importance, @sourceType)`,
  ).run(valuesOf(draft, target));
}

function insertRow(db: Database, draft: DraftChunk, target: Target): void {
  const values = valuesOf(draft, target);
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       tags, importance, created_at, updated_at)
     VALUES (@id, @sourceType, @sourceFile, @projectPath, @place, @heading, @content,
       @tags, @importance, @now, @now)`,
    )
    .run(values);
  addToCjkIndex(db, { ...values, rowid: lastInsertRowid });
  db.prepare('INSERT INTO store_owned (chunk_id) VALUES (@id)').run({ id: values.id });
}

function valuesOf(draft: DraftChunk, { document, place, context }: Target) {
  return {
    id: chunkId(document.sourceFile, place),
    sourceType: document.sourceType,
    sourceFile: document.sourceFile,
    projectPath: context.projectPath,
    place,
    heading: draft.heading ?? null,
    content: draft.content,
    tags: draft.tags === undefined ? null : JSON.stringify(draft.tags),
    importance: draft.importance,
    now: context.now,
  };
}
