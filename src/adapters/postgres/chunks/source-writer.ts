import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import {
  idsOf,
  type KeptChunk,
  type PlacedDraft,
  planSource,
} from '../../../domain/chunks/source-plan.js';
import { citationChange } from '../../../domain/citations/citation-change.js';
import { type Columns, Parameters, type Session, tableOf } from '../database/session.js';
import { insertChunks, tagsJson } from './chunk-rows.js';
import { writeCitations } from './postgres-citations.js';

/** Where a source is written, in a transaction that has the lock of the source. */
export interface SourceTarget {
  readonly session: Session;
  readonly schema: string;
  readonly now: Date;
  readonly unchanged: 'skip' | 'restore';
}

/** Deletes the rows that this service wrote for a source. */
export async function removeSource(
  { session, schema }: SourceTarget,
  sourceFile: string,
): Promise<void> {
  await session.query(`DELETE FROM ${schema}.chunks WHERE source_file = $1 AND is_owned`, [
    sourceFile,
  ]);
  await forgetSource({ session, schema }, sourceFile);
}

/** Replaces the chunks of a source with those of a document, as `planSource` decides. */
export async function writeSource(target: SourceTarget, document: SourceDocument): Promise<void> {
  const former = await formerFile(target, document);
  const plan = planSource({
    document,
    existing: await ownedChunks(target, [document.sourceFile, former ?? []].flat()),
    takenIds: await foreignIds(target, document),
    movedFrom: target.unchanged === 'skip' ? former : undefined,
  });
  const dropped = plan.dropped.map(({ no }) => no);
  await target.session.query(`DELETE FROM ${target.schema}.chunks WHERE no = ANY($1)`, [dropped]);
  await updateRows(target, document, plan.kept);
  for (const added of slicesOf(plan.added)) await insertRows(target, document, added);
  await writeCitations(target, citationChange(plan, document));
  if (former !== undefined) await forgetSource(target, former);
  await rememberSource(target, document);
}

/** Where the document was before, unless what is indexed there has changed meanwhile. */
async function formerFile(
  { session, schema }: SourceTarget,
  { movedFrom, contentHash }: SourceDocument,
): Promise<string | undefined> {
  if (movedFrom === undefined) return undefined;
  const rows = await session.query(
    `SELECT 1 FROM ${schema}.sources WHERE source_file = $1 AND content_hash = $2 FOR UPDATE`,
    [movedFrom, contentHash],
  );
  return rows.length > 0 ? movedFrom : undefined;
}

async function forgetSource(
  { session, schema }: Pick<SourceTarget, 'session' | 'schema'>,
  sourceFile: string,
): Promise<void> {
  await session.query(`DELETE FROM ${schema}.sources WHERE source_file = $1`, [sourceFile]);
}

interface OwnedRow {
  readonly no: number;
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

function ownedChunks(
  { session, schema }: SourceTarget,
  sourceFiles: readonly string[],
): Promise<readonly OwnedRow[]> {
  return session.query<OwnedRow>(
    `SELECT no, id, heading, content FROM ${schema}.chunks WHERE source_file = ANY($1) AND is_owned
     ORDER BY array_position($1::text[], source_file), chunk_index`,
    [sourceFiles],
  );
}

/** The ids that are used by chunks of another program. */
async function foreignIds(
  { session, schema }: SourceTarget,
  document: SourceDocument,
): Promise<ReadonlySet<string>> {
  const rows = await session.query<{ readonly id: string }>(
    `SELECT id FROM ${schema}.chunks WHERE id = ANY($1) AND NOT is_owned`,
    [idsOf(document)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Updates the kept rows, whose text is the same; a row is written only if another column differs. */
async function updateRows(
  { session, schema, now }: SourceTarget,
  { sourceFile, sourceType }: SourceDocument,
  kept: readonly KeptChunk<OwnedRow>[],
): Promise<void> {
  if (kept.length === 0) return;
  const parameters = new Parameters();
  const { table } = tableOf(KEPT_COLUMNS, kept, parameters);
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

const KEPT_COLUMNS: Columns<KeptChunk<OwnedRow>> = {
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
  const [createdAt, updatedAt] = [now.toISOString(), now.toISOString()];
  const source = { sourceFile, sourceType, createdAt, updatedAt, isOwned: true };
  const chunks = added.map(({ id, place, draft }) => ({
    ...draft,
    ...source,
    id,
    chunkIndex: place,
  }));
  await insertChunks(session, schema, chunks);
}

async function rememberSource(target: SourceTarget, document: SourceDocument): Promise<void> {
  const { session, schema } = target;
  const { sourceFile, sourceType, contentHash, chunks } = document;
  await session.query(
    `INSERT INTO ${schema}.sources (source_file, source_type, content_hash, chunk_count)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type,
       content_hash = excluded.content_hash, chunk_count = excluded.chunk_count`,
    [sourceFile, sourceType, contentHash, chunks.length],
  );
  await rememberSupersessions(target, [document]);
}

/** Remembers which sources replace another one. */
export async function rememberSupersessions(
  { session, schema }: Pick<SourceTarget, 'session' | 'schema'>,
  sources: readonly Pick<SourceDocument, 'sourceFile' | 'supersedes'>[],
): Promise<void> {
  await session.query(`DELETE FROM ${schema}.supersessions WHERE source_file = ANY($1)`, [
    sources.map(({ sourceFile }) => sourceFile),
  ]);
  const links = sources.filter(({ supersedes }) => supersedes !== undefined);
  if (links.length === 0) return;
  const parameters = new Parameters();
  const { names, table } = tableOf(LINK_COLUMNS, links, parameters);
  await session.query(
    `INSERT INTO ${schema}.supersessions (${names}) SELECT * FROM ${table}`,
    parameters.values,
  );
}

const LINK_COLUMNS: Columns<Pick<SourceDocument, 'sourceFile' | 'supersedes'>> = {
  source_file: ['text', ({ sourceFile }) => sourceFile],
  supersedes: ['text', ({ supersedes }) => supersedes],
};

function slicesOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, i) =>
    rows.slice(i * ROWS_AT_ONCE, (i + 1) * ROWS_AT_ONCE),
  );
}

const ROWS_AT_ONCE = 200;
