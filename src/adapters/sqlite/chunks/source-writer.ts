import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import {
  type CitationChange,
  citationChange,
  type KeptChunk,
  type PlacedDraft,
  planSource,
} from '../../../domain/chunks/source-plan.js';
import { systemErrorCode } from '../../../domain/errors.js';
import type { SourceChange } from '../../../ports/source-repository.js';
import { prepareOnce } from '../database/statements.js';
import { keepVectors, type RestoringContext, restoreVectors } from './kept-vectors.js';
import {
  forgetSource,
  readChunks,
  readContentHash,
  rememberSource,
  type StoredText,
} from './source-rows.js';
import { writeCitations } from './sqlite-citations.js';

/** Values that are written with every chunk of a source. */
export interface WritingContext extends RestoringContext {
  readonly projectPath: string;
}

/**
 * Deletes an indexed source and its chunks. Chunks of a source that is not indexed belong to other programs and stay.
 */
export function removeSource(db: Database, sourceFile: string, now: string): void {
  if (readContentHash(db, sourceFile) === undefined) return;
  const ids = readChunks(db, sourceFile).map(({ id }) => id);
  deleteChunks(db, ids, now);
  forgetSource(db, sourceFile, now);
}

/** Deletes chunks and, by foreign keys, their dependent rows. Their vectors are kept for reuse. */
export function deleteChunks(db: Database, ids: readonly string[], now: string): void {
  keepVectors(db, ids, now);
  const remove = prepareOnce(db, 'DELETE FROM chunks WHERE id = ?');
  for (const id of ids) remove.run(id);
}

/** The chunks and citations that a document adds to its source; see `addChunks`. */
export interface AddedChunks {
  readonly document: SourceDocument;
  readonly added: readonly PlacedDraft[];
  readonly citations: CitationChange;
}

/**
 * Updates and deletes the chunks of a source as `planSource` decides, and returns those to add. Must run in a write
 * transaction, before `addChunks`.
 */
export function writeSource(
  db: Database,
  document: SourceDocument,
  context: RestoringContext & Required<Pick<SourceChange, 'unchanged'>>,
): AddedChunks {
  const { now, unchanged } = context;
  const former = formerFile(db, document);
  const files = [document.sourceFile, former ?? []].flat();
  const plan = planSource({
    document,
    existing: files.flatMap((file) => readChunks(db, file)),
    movedFrom: unchanged === 'skip' ? former : undefined,
  });
  deleteChunks(
    db,
    plan.dropped.map(({ id }) => id),
    now,
  );
  moveRows(db, plan.kept, now);
  updateRows(db, plan.kept, { document, now });
  if (former !== undefined) forgetSource(db, former, now);
  rememberSource(db, document, context);
  return { document, added: plan.added, citations: citationChange(plan, document) };
}

/** The former path of a moved document; undefined if the index has other content there. */
function formerFile(db: Database, { movedFrom, contentHash }: SourceDocument): string | undefined {
  const isSame = movedFrom !== undefined && readContentHash(db, movedFrom) === contentHash;
  return isSame ? movedFrom : undefined;
}

/** Gives moved rows their new ids, in two steps because rows may swap ids. Foreign keys follow. */
function moveRows(db: Database, kept: readonly KeptChunk<StoredText>[], now: string): void {
  const moved = kept.filter(({ id, existing }) => id !== existing.id);
  const rename = prepareOnce<[to: string, from: string], unknown>(
    db,
    'UPDATE chunks SET id = ? WHERE id = ?',
  );
  for (const { existing } of moved) rename.run(parkedId(existing.id), existing.id);
  for (const { id, existing } of moved) {
    withFreeIds(db, { ids: [id], now }, () => rename.run(id, parkedId(existing.id)));
  }
}

/**
 * Runs a write that needs these ids. Deletes chunks that already have one of them: another program may have given an id
 * of this source to a chunk of another source.
 */
function withFreeIds(
  db: Database,
  { ids, now }: { readonly ids: readonly string[]; readonly now: string },
  write: () => void,
): void {
  try {
    write();
  } catch (error) {
    if (systemErrorCode(error) !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error;
    deleteChunks(db, ids, now);
    write();
  }
}

/** A temporary id. It is unused, because no source file begins with two colons. */
function parkedId(id: string): string {
  return `::moving::${id}`;
}

/** Updates the rows whose text is unchanged. A row is rewritten only if another column differs. */
function updateRows(
  db: Database,
  kept: readonly PlacedDraft[],
  { document, now }: Pick<WritingContext, 'now'> & { readonly document: SourceDocument },
): void {
  const update = prepareOnce(
    db,
    `UPDATE chunks SET source_file = @sourceFile, chunk_index = @place, tags = @tags,
       importance = @importance, source_type = @sourceType, updated_at = @now
     WHERE id = @id AND (source_file, chunk_index, tags, importance, source_type)
       IS NOT (@sourceFile, @place, @tags, @importance, @sourceType)`,
  );
  for (const placed of kept) update.run({ ...toRow(placed, document), now });
}

/**
 * Inserts the new chunks of all sources of a transaction with one statement. FTS5 flushes its buffer at the start of
 * every statement that fires a trigger (docs/decisions/0048-how-sqlite-is-called.md).
 */
export function addChunks(
  db: Database,
  sources: readonly AddedChunks[],
  { projectPath, ...context }: WritingContext,
): void {
  const { now } = context;
  const rows = sources.flatMap(({ document, added }) => added.map((one) => toRow(one, document)));
  const insert = prepareOnce(db, INSERT);
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    withFreeIds(db, { ids, now }, () =>
      insert.run({ projectPath, now, rows: JSON.stringify(rows) }),
    );
    restoreVectors(db, rows, context);
  }
  for (const { citations } of sources) writeCitations(db, citations, now);
}

const INSERT = `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
    tags, importance, created_at, updated_at)
  SELECT value ->> 'id', value ->> 'sourceType', value ->> 'sourceFile', @projectPath, value ->> 'place',
    value ->> 'heading', value ->> 'content', value ->> 'tags', value ->> 'importance',
    coalesce(value ->> 'createdAt', @now), @now
  FROM json_each(@rows)`;

function toRow({ id, place, draft }: PlacedDraft, { sourceType, sourceFile }: SourceDocument) {
  const { heading, content, tags, importance, createdAt } = draft;
  return {
    id,
    sourceType,
    sourceFile,
    place,
    heading,
    content,
    importance,
    createdAt,
    tags: tags === undefined ? null : JSON.stringify(tags),
  };
}
