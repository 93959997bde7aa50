import {
  type AddedRecords,
  type ChunkRecord,
  type PresentRecords,
  planRecords,
  type SourceRecord,
} from '../../../domain/transfer/records.js';
import { lockUntilCommit, type Session } from '../database/session.js';
import { insertChunks, type TextRow, textOf } from './chunk-rows.js';
import { insertSources } from './source-writer.js';

/** Adds chunks with what belongs to them, as `StoreRecords.add` says; in a transaction. */
export async function addRecords(
  session: Session,
  schema: string,
  records: readonly ChunkRecord[],
): Promise<AddedRecords> {
  await lockSources(session, schema, records);
  const plan = planRecords(records, await presentRecords(session, schema, records));
  const sources = plan.sources.map((source) => ({ ...source, documentChunkCount: 0 }));
  await insertSources({ session, schema }, sources);
  const added = plan.added.map(({ chunk, contentHash }) => ({
    ...chunk,
    isOwned: contentHash !== undefined,
  }));
  await insertChunks(session, schema, added);
  for (const record of [...plan.added, ...plan.merged])
    await addBelongings(session, schema, record);
  return plan.counts;
}

/** As `StoreRecords.addSources` says; in a transaction. */
export async function addRecordSources(
  session: Session,
  schema: string,
  sources: readonly SourceRecord[],
): Promise<void> {
  await session.query(
    `DELETE FROM ${schema}.sources s USING unnest($1::text[], $2::text[]) AS n(file, hash)
     WHERE s.source_file = n.file AND s.content_hash IN ('', n.hash)`,
    [sources.map(({ sourceFile }) => sourceFile), sources.map(({ contentHash }) => contentHash)],
  );
  await insertSources({ session, schema }, sources);
}

/** Sorted, so that two imports never wait for each other in a circle. */
async function lockSources(
  session: Session,
  schema: string,
  records: readonly ChunkRecord[],
): Promise<void> {
  const files = new Set(records.map(({ chunk }) => chunk.sourceFile));
  for (const file of [...files].toSorted()) await lockUntilCommit(session, `${schema} ${file}`);
}

async function presentRecords(
  session: Session,
  schema: string,
  records: readonly ChunkRecord[],
): Promise<PresentRecords> {
  const sources = await session.query<{ readonly file: string; readonly hash: string }>(
    `SELECT source_file AS file, content_hash AS hash FROM ${schema}.sources
     WHERE source_file = ANY($1)`,
    [records.map(({ chunk }) => chunk.sourceFile)],
  );
  const texts = await session.query<TextRow>(
    `SELECT id, heading, content FROM ${schema}.chunks WHERE id = ANY($1) FOR KEY SHARE`,
    [records.map(({ chunk }) => chunk.id)],
  );
  return {
    hashes: new Map(sources.map(({ file, hash }) => [file, hash])),
    texts: new Map(texts.map((row) => [row.id, textOf(row)])),
  };
}

/** Counts and questions, in tables of their own. */
async function addBelongings(
  session: Session,
  schema: string,
  { chunk: { id }, retrievalCount, lastRetrievedAt, questions }: ChunkRecord,
): Promise<void> {
  if (retrievalCount > 0 || lastRetrievedAt !== undefined) {
    await session.query(
      `INSERT INTO ${schema}.retrievals AS r (chunk_no, retrieval_count, last_retrieved_at)
       SELECT no, $2::integer, $3::timestamptz FROM ${schema}.chunks WHERE id = $1
       ON CONFLICT (chunk_no) DO UPDATE SET
         retrieval_count = greatest(r.retrieval_count, excluded.retrieval_count),
         last_retrieved_at = greatest(r.last_retrieved_at, excluded.last_retrieved_at)`,
      [id, retrievalCount, lastRetrievedAt ?? null],
    );
  }
  if (questions === undefined) return;
  await session.query(
    `INSERT INTO ${schema}.questions (chunk_no, texts)
     SELECT no, $2::text[] FROM ${schema}.chunks WHERE id = $1 ON CONFLICT (chunk_no) DO NOTHING`,
    [id, questions],
  );
}
