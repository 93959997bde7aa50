import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import {
  idsOf,
  type KeptChunk,
  type PlacedDraft,
  planSource,
} from '../../../domain/chunks/source-plan.js';
import { citationChange } from '../../../domain/citations/citation-change.js';
import { prepared } from '../database/prepared.js';
import { isTaken } from '../database/sqlite-errors.js';
import {
  CLAIM,
  contentHashOf,
  foreignIds,
  forgetSource,
  type OwnedRow,
  ownedChunks,
  rememberSource,
} from './source-rows.js';
import { writeCitations } from './sqlite-citations.js';

/** Values that are written with every chunk of a source. */
interface WritingContext {
  readonly projectPath: string;
  /** ISO 8601. */
  readonly now: string;
  readonly unchanged: 'skip' | 'restore';
}

/** Deletes the rows that this service wrote for a source. */
export function removeSource(db: Database, sourceFile: string): void {
  deleteChunks(
    db,
    ownedChunks(db, sourceFile).map(({ id }) => id),
  );
  forgetSource(db, sourceFile);
}

/** Deletes chunks and their vectors, explicitly because a database of another program may lack the cascade. */
export function deleteChunks(db: Database, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const list = JSON.stringify(ids);
  for (const [table, column] of CHUNK_ID_COLUMNS.toReversed()) {
    prepared(db, `DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(
      list,
    );
  }
}

/** Replaces the chunks of a source with those of a document, as `planSource` decides. Must run in a write transaction. */
export function writeSource(db: Database, document: SourceDocument, context: WritingContext): void {
  prepared(db, 'PRAGMA defer_foreign_keys = ON').run();
  const former = formerFile(db, document);
  const files = [document.sourceFile, former ?? []].flat();
  const plan = planSource({
    document,
    existing: files.flatMap((file) => ownedChunks(db, file)),
    takenIds: foreignIds(db, idsOf(document)),
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

/** Where the document was before, unless what is indexed there has changed meanwhile. */
function formerFile(db: Database, { movedFrom, contentHash }: SourceDocument): string | undefined {
  const isSame = movedFrom !== undefined && contentHashOf(db, movedFrom) === contentHash;
  return isSame ? movedFrom : undefined;
}

const CHUNK_ID_COLUMNS = [
  ['chunks', 'id'],
  ['embeddings', 'chunk_id'],
  ['store_owned', 'chunk_id'],
  ['store_citations', 'chunk_id'],
] as const;

/** Gives moved rows their new ids, in two steps because rows may swap theirs. */
function moveRows(db: Database, kept: readonly KeptChunk<OwnedRow>[]): void {
  const moved = kept.filter(({ id, existing }) => id !== existing.id);
  if (moved.length === 0) return;
  const renames = CHUNK_ID_COLUMNS.map(([table, column]) =>
    prepared(db, `UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`),
  );
  const rename = (from: string, to: string) => {
    for (const statement of renames) statement.run(to, from);
  };
  for (const { existing } of moved) rename(existing.id, parkedId(existing.id));
  for (const { id, existing } of moved) rename(parkedId(existing.id), id);
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

function insertRows(db: Database, added: readonly PlacedDraft[], target: Target): void {
  const insert = prepared(
    db,
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       tags, importance, created_at, updated_at)
     VALUES (@id, @sourceType, @sourceFile, @projectPath, @place, @heading, @content,
       @tags, @importance, @now, @now)`,
  );
  const own = prepared(db, CLAIM);
  for (const placed of added) {
    insertOnce(db, placed.id, () => insert.run(valuesOf(placed, target)));
    own.run(placed.id);
  }
}

/** A row of the service whose other columns were damaged may still have the id: it makes way. */
function insertOnce(db: Database, id: string, insert: () => void): void {
  try {
    insert();
  } catch (error) {
    if (!isTaken(error)) throw error;
    deleteChunks(db, [id]);
    insert();
  }
}

function valuesOf({ id, place, draft }: PlacedDraft, { document, context }: Target) {
  return {
    id,
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
