import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import {
  citationChange,
  type KeptChunk,
  type PlacedDraft,
  planSource,
} from '../../../domain/chunks/source-plan.js';
import { systemErrorCode } from '../../../domain/errors.js';
import { prepared } from '../database/statements.js';
import {
  chunksOf,
  contentHashOf,
  forgetSource,
  rememberSource,
  type StoredText,
} from './source-rows.js';
import { writeCitations } from './sqlite-citations.js';

/** Values that are written with every chunk of a source. */
interface WritingContext {
  readonly projectPath: string;
  /** ISO 8601. */
  readonly now: string;
  readonly unchanged: 'skip' | 'restore';
}

/** Deletes the chunks of a source that is indexed; those of another one belong to somebody else. */
export function removeSource(db: Database, sourceFile: string): void {
  if (contentHashOf(db, sourceFile) === undefined) return;
  prepared(db, 'DELETE FROM chunks WHERE source_file = ?').run(sourceFile);
  forgetSource(db, sourceFile);
}

/** Deletes chunks, and by the foreign keys what belongs to them. */
export function deleteChunks(db: Database, ids: readonly string[]): void {
  const remove = prepared(db, 'DELETE FROM chunks WHERE id = ?');
  for (const id of ids) remove.run(id);
}

/** Replaces the chunks of a source with those of a document, as `planSource` decides. Must run in a write transaction. */
export function writeSource(db: Database, document: SourceDocument, context: WritingContext): void {
  const former = formerFile(db, document);
  const files = [document.sourceFile, former ?? []].flat();
  const plan = planSource({
    document,
    existing: files.flatMap((file) => chunksOf(db, file)),
    movedFrom: context.unchanged === 'skip' ? former : undefined,
  });
  deleteChunks(
    db,
    plan.dropped.map(({ id }) => id),
  );
  moveRows(db, plan.kept);
  updateRows(db, plan.kept, { document, context });
  insertRows(db, plan.added, { document, context });
  writeCitations(db, citationChange(plan, document), context.now);
  if (former !== undefined) forgetSource(db, former);
  rememberSource(db, document);
}

/** The former path of the document, unless the index has other content there. */
function formerFile(db: Database, { movedFrom, contentHash }: SourceDocument): string | undefined {
  const isSame = movedFrom !== undefined && contentHashOf(db, movedFrom) === contentHash;
  return isSame ? movedFrom : undefined;
}

/** Gives moved rows their new ids, in two steps because rows may swap theirs. What refers to them follows. */
function moveRows(db: Database, kept: readonly KeptChunk<StoredText>[]): void {
  const moved = kept.filter(({ id, existing }) => id !== existing.id);
  const rename = prepared<[to: string, from: string], unknown>(
    db,
    'UPDATE chunks SET id = ? WHERE id = ?',
  );
  for (const { existing } of moved) rename.run(parkedId(existing.id), existing.id);
  for (const { id, existing } of moved) {
    withFreeIds(db, [id], () => rename.run(id, parkedId(existing.id)));
  }
}

/** Another program may have given an id of this source to a chunk of another one, which makes way. */
function withFreeIds(db: Database, ids: readonly string[], write: () => void): void {
  try {
    write();
  } catch (error) {
    if (systemErrorCode(error) !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error;
    deleteChunks(db, ids);
    write();
  }
}

/** A temporary id. It is unused, because no source file begins with two colons. */
function parkedId(id: string): string {
  return `::moving::${id}`;
}

interface Target {
  readonly document: SourceDocument;
  readonly context: WritingContext;
}

/** Updates the kept rows, whose text is the same; a row is rewritten only if another column differs. */
function updateRows(db: Database, kept: readonly PlacedDraft[], target: Target): void {
  const update = prepared(
    db,
    `UPDATE chunks SET source_file = @sourceFile, chunk_index = @place, tags = @tags,
       importance = @importance, source_type = @sourceType, updated_at = @now
     WHERE id = @id AND (source_file, chunk_index, tags, importance, source_type)
       IS NOT (@sourceFile, @place, @tags, @importance, @sourceType)`,
  );
  for (const placed of kept) update.run(valuesOf(placed, target));
}

/**
 * One statement for all rows of a source: FTS5 writes what it has collected whenever a statement begins that fires a trigger
 * (docs/decisions/0048-how-sqlite-is-called.md).
 */
function insertRows(db: Database, added: readonly PlacedDraft[], target: Target): void {
  if (added.length === 0) return;
  const insert = prepared(
    db,
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       tags, importance, created_at, updated_at)
     SELECT value ->> 'id', @sourceType, @sourceFile, @projectPath, value ->> 'place',
       value ->> 'heading', value ->> 'content', value ->> 'tags', value ->> 'importance', @now, @now
     FROM json_each(@rows)`,
  );
  const { sourceType, sourceFile } = target.document;
  const { projectPath, now } = target.context;
  const rows = added.map(({ id, place, draft: { heading, content, tags, importance } }) => ({
    ...{ id, place, heading, content, importance },
    tags: tags && JSON.stringify(tags),
  }));
  const values = { sourceType, sourceFile, projectPath, now, rows: JSON.stringify(rows) };
  withFreeIds(
    db,
    added.map(({ id }) => id),
    () => insert.run(values),
  );
}

function valuesOf({ id, place, draft }: PlacedDraft, { document, context }: Target) {
  return {
    id,
    sourceType: document.sourceType,
    sourceFile: document.sourceFile,
    place,
    tags: draft.tags === undefined ? null : JSON.stringify(draft.tags),
    importance: draft.importance,
    now: context.now,
  };
}
