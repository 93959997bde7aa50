import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import {
  citationChange,
  type KeptChunk,
  listIds,
  type PlacedDraft,
  planSource,
} from '../../../domain/chunks/source-plan.js';
import { type Columns, inlineTable, Parameters, type SchemaSession } from '../database/session.js';
import { writeLines } from './chunk-lines.js';
import { insertChunks, type TextRow, tagsJson } from './chunk-rows.js';
import { keepHeaders, keepVectors, restoreVectors } from './kept-vectors.js';
import { writeCitations } from './postgres-citations.js';
import { deleteNames, writeNames } from './source-names.js';

/** What is needed to write a source, in a transaction that holds the lock of the source. */
interface SourceTarget extends SchemaSession {
  readonly now: Date;
  /** Only vectors of this model are restored. */
  readonly model: string;
  readonly unchanged: 'skip' | 'restore';
}

/**
 * Deletes an indexed source and its chunks. Chunks of a source that is not indexed belong to other programs and stay.
 */
export async function removeSource(target: SourceTarget, sourceFile: string): Promise<void> {
  const { session, schema } = target;
  const find = `SELECT 1 FROM ${schema}.sources WHERE source_file = $1`;
  if ((await session.query(find, [sourceFile])).length === 0) return;
  const rows = await session.query<{ readonly no: number }>(
    `SELECT no FROM ${schema}.chunks WHERE source_file = $1`,
    [sourceFile],
  );
  await deleteChunks(
    target,
    rows.map(({ no }) => no),
  );
  await forgetSources(target, [sourceFile]);
  await keepHeaders(target, [sourceFile]);
  await deleteNames(target, sourceFile);
}

/** Deletes chunks, but keeps their vectors for reuse. */
async function deleteChunks(target: SourceTarget, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await keepVectors(target, numbers);
  const { session, schema } = target;
  await session.query(`DELETE FROM ${schema}.chunks WHERE no = ANY($1)`, [numbers]);
}

/** Replaces the chunks of a source with the chunks of a document, as `planSource` decides. */
export async function writeSource(target: SourceTarget, document: SourceDocument): Promise<void> {
  const { movedFrom } = document;
  const isMoved = movedFrom !== undefined && (await isIndexed(target, document, movedFrom));
  const former = isMoved ? movedFrom : undefined;
  const files = [document.sourceFile, former ?? []].flat();
  const plan = planSource({
    document,
    existing: await readChunks(target, files),
    movedFrom: target.unchanged === 'skip' ? former : undefined,
  });
  await freeIds(target, document, files);
  await deleteChunks(
    target,
    plan.dropped.map(({ no }) => no),
  );
  await updateRows(target, document, plan.kept);
  for (let i = 0; i < plan.added.length; i += ROWS_AT_ONCE)
    await insertRows(target, document, plan.added.slice(i, i + ROWS_AT_ONCE));
  await writeLines(target, [...plan.kept, ...plan.added]);
  await writeCitations(target, citationChange(plan, document));
  await forgetSources(target, files);
  await rememberSource(target, document);
  await keepHeaders(target, files);
  if (former !== undefined) await deleteNames(target, former);
  await writeNames(target, [document]);
  if (plan.added.length > 0) await restoreVectors(target, document.sourceFile);
}

const ROWS_AT_ONCE = 200;

/** Whether a source is indexed with the content of the document. */
export async function isIndexed(
  { session, schema }: SourceTarget,
  { contentHash }: SourceDocument,
  sourceFile: string,
): Promise<boolean> {
  const rows = await session.query(
    `SELECT 1 FROM ${schema}.sources WHERE source_file = $1 AND content_hash = $2 FOR UPDATE`,
    [sourceFile, contentHash],
  );
  return rows.length > 0;
}

interface ChunkTextRow extends TextRow {
  readonly no: number;
}

function readChunks(
  { session, schema }: SourceTarget,
  sourceFiles: readonly string[],
): Promise<readonly ChunkTextRow[]> {
  return session.query<ChunkTextRow>(
    `SELECT no, id, heading, content FROM ${schema}.chunks WHERE source_file = ANY($1)
     ORDER BY array_position($1::text[], source_file), chunk_index`,
    [sourceFiles],
  );
}

/** Deletes chunks of other sources that have an id of this one, as another program may have written them. */
async function freeIds(
  target: SourceTarget,
  document: SourceDocument,
  files: readonly string[],
): Promise<void> {
  const { session, schema } = target;
  const rows = await session.query<{ readonly no: number }>(
    `SELECT no FROM ${schema}.chunks WHERE id = ANY($1) AND NOT source_file = ANY($2)`,
    [listIds(document), files],
  );
  await deleteChunks(
    target,
    rows.map(({ no }) => no),
  );
}

/** Updates the rows whose text is unchanged. A row is rewritten only if another column differs. */
async function updateRows(
  { session, schema, now }: SourceTarget,
  { sourceFile, sourceType }: SourceDocument,
  kept: readonly KeptChunk<ChunkTextRow>[],
): Promise<void> {
  if (kept.length === 0) return;
  const parameters = new Parameters();
  const { table } = inlineTable(KEPT_COLUMNS, kept, parameters);
  const type = parameters.add(sourceType);
  const file = parameters.add(sourceFile);
  await session.query(
    `UPDATE ${schema}.chunks c SET id = n.id, chunk_index = n.place, tags = n.tags,
       importance = n.importance, source_type = ${type}, updated_at = ${parameters.add(now)},
       source_file = ${file}
     FROM ${table}
     WHERE c.no = n.no AND (c.id, c.chunk_index, c.tags, c.importance, c.source_type, c.source_file)
       IS DISTINCT FROM (n.id, n.place, n.tags, n.importance, ${type}, ${file})`,
    parameters.values,
  );
}

const KEPT_COLUMNS: Columns<KeptChunk<ChunkTextRow>> = {
  no: ['bigint', ({ existing }) => existing.no],
  id: ['text', ({ id }) => id],
  place: ['integer', ({ place }) => place],
  tags: ['jsonb', ({ draft }) => tagsJson(draft.tags)],
  importance: ['double precision', ({ draft }) => draft.importance],
};

async function insertRows(
  { session, schema, now }: SourceTarget,
  { sourceFile, sourceType }: SourceDocument,
  added: readonly PlacedDraft[],
): Promise<void> {
  const indexedAt = now.toISOString();
  const source = { sourceFile, sourceType, updatedAt: indexedAt };
  const chunks = added.map(({ id, place, draft }) => ({
    ...draft,
    ...source,
    createdAt: draft.createdAt ?? indexedAt,
    id,
    chunkIndex: place,
  }));
  await insertChunks(session, schema, chunks);
}

async function forgetSources(
  { session, schema }: SchemaSession,
  files: readonly string[],
): Promise<void> {
  await session.query(`DELETE FROM ${schema}.sources WHERE source_file = ANY($1)`, [files]);
}

async function rememberSource(
  { session, schema }: SchemaSession,
  document: SourceDocument,
): Promise<void> {
  const { sourceFile, sourceType, contentHash, chunks, supersedes, expires } = document;
  await session.query(
    `INSERT INTO ${schema}.sources (source_file, source_type, content_hash, chunk_count, expires)
     VALUES ($1, $2, $3, $4, $5)`,
    [sourceFile, sourceType, contentHash, chunks.length, expires ?? null],
  );
  if (supersedes === undefined) return;
  await session.query(
    `INSERT INTO ${schema}.supersessions (source_file, supersedes) VALUES ($1, $2)`,
    [sourceFile, supersedes],
  );
}
