import {
  type AddedRecords,
  type ChunkRecord,
  type NewSource,
  type PresentRecords,
  planRecords,
} from '../../../domain/transfer/records.js';
import { lockUntilCommit } from '../database/registry.js';
import { type Columns, Parameters, type Session, tableOf } from '../database/session.js';
import { insertChunks, type TextRow, textOf } from './chunk-rows.js';

/** Where records are written, in a transaction. */
interface RecordTarget {
  readonly session: Session;
  readonly schema: string;
}

/** Adds chunks with what belongs to them, as `StoreRecords.add` says. */
export async function addRecords(
  target: RecordTarget,
  records: readonly ChunkRecord[],
): Promise<AddedRecords> {
  await lockSources(target, records);
  const storable = records.map(withoutNul);
  const plan = planRecords(storable, await presentRecords(target, storable));
  const { session, schema } = target;
  await addSources(target, plan.sources);
  const added = plan.added.map(({ chunk, contentHash }) => ({
    ...chunk,
    isOwned: contentHash !== undefined,
  }));
  await insertChunks(session, schema, added);
  for (const record of [...plan.added, ...plan.merged]) await addBelongings(target, record);
  return plan.counts;
}

/** Sorted, so that two imports never wait for each other in a circle. */
async function lockSources(
  { session, schema }: RecordTarget,
  records: readonly ChunkRecord[],
): Promise<void> {
  const files = new Set(records.map(({ chunk }) => chunk.sourceFile));
  for (const file of [...files].toSorted()) await lockUntilCommit(session, `${schema} ${file}`);
}

async function presentRecords(
  { session, schema }: RecordTarget,
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

async function addSources(
  { session, schema }: RecordTarget,
  sources: readonly NewSource[],
): Promise<void> {
  const parameters = new Parameters();
  const { names, table } = tableOf(SOURCE_COLUMNS, sources, parameters);
  await session.query(
    `INSERT INTO ${schema}.sources (${names}) SELECT * FROM ${table}`,
    parameters.values,
  );
}

const SOURCE_COLUMNS: Columns<NewSource> = {
  source_file: ['text', ({ sourceFile }) => sourceFile],
  source_type: ['text', ({ sourceType }) => sourceType],
  content_hash: ['text', ({ contentHash }) => contentHash],
  chunk_count: ['integer', () => 0],
};

/** Counts and questions, in tables of their own. */
async function addBelongings(
  { session, schema }: RecordTarget,
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

/** PostgreSQL stores no NUL. */
function withoutNul(record: ChunkRecord): ChunkRecord {
  return JSON.parse(JSON.stringify(record), (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value,
  );
}
