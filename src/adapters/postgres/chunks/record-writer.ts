import {
  type AddedRecords,
  type ChunkRecord,
  countOutcomes,
  hashWhileAdded,
  type RecordOutcome,
} from '../../../domain/transfer/records.js';
import { lockUntilCommit } from '../database/registry.js';
import type { Session } from '../database/session.js';
import { insertChunks } from './chunk-rows.js';

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
  const outcomes: RecordOutcome[] = [];
  for (const record of records.map(withoutNul)) outcomes.push(await addRecord(target, record));
  return countOutcomes(outcomes);
}

/** Sorted, so that two imports never wait for each other in a circle. */
async function lockSources(
  { session, schema }: RecordTarget,
  records: readonly ChunkRecord[],
): Promise<void> {
  const files = new Set(records.map(({ chunk }) => chunk.sourceFile));
  for (const file of [...files].toSorted()) await lockUntilCommit(session, `${schema} ${file}`);
}

async function addRecord(target: RecordTarget, record: ChunkRecord): Promise<RecordOutcome> {
  const { session, schema } = target;
  const { chunk, contentHash } = record;
  const isOwned = contentHash !== undefined;
  const indexedHash = isOwned ? await rememberSource(target, record) : '';
  if (indexedHash !== '' && indexedHash !== contentHash) return 'different';
  const [present] = await session.query<PresentRow>(
    `SELECT no, heading, content FROM ${schema}.chunks WHERE id = $1 FOR KEY SHARE`,
    [chunk.id],
  );
  if (present === undefined) {
    const no = await insertChunks(session, schema, [{ ...chunk, isOwned }]);
    await addBelongings(target, no ?? 0, record);
    return 'added';
  }
  const isSame = present.heading === (chunk.heading ?? null) && present.content === chunk.content;
  if (!isSame) return 'different';
  await addBelongings(target, present.no, record);
  return 'merged';
}

interface PresentRow {
  readonly no: number;
  readonly heading: string | null;
  readonly content: string;
}

/** Empty for a source that is being imported, which then counts as changed; otherwise its present hash. */
async function rememberSource(
  { session, schema }: RecordTarget,
  record: ChunkRecord,
): Promise<string> {
  const { sourceFile, sourceType } = record.chunk;
  await session.query(
    `INSERT INTO ${schema}.sources (source_file, source_type, content_hash, chunk_count)
     VALUES ($1, $2, $3, 0) ON CONFLICT (source_file) DO NOTHING`,
    [sourceFile, sourceType, hashWhileAdded(record)],
  );
  const [source] = await session.query<{ readonly hash: string }>(
    `SELECT content_hash AS hash FROM ${schema}.sources WHERE source_file = $1`,
    [sourceFile],
  );
  return source?.hash ?? '';
}

/** Counts and questions, in tables of their own. */
async function addBelongings(
  { session, schema }: RecordTarget,
  no: number,
  { retrievalCount, lastRetrievedAt, questions }: ChunkRecord,
): Promise<void> {
  if (retrievalCount > 0 || lastRetrievedAt !== undefined) {
    await session.query(
      `INSERT INTO ${schema}.retrievals AS r (chunk_no, retrieval_count, last_retrieved_at)
       VALUES ($1, $2, $3) ON CONFLICT (chunk_no) DO UPDATE SET
         retrieval_count = greatest(r.retrieval_count, excluded.retrieval_count),
         last_retrieved_at = greatest(r.last_retrieved_at, excluded.last_retrieved_at)`,
      [no, retrievalCount, lastRetrievedAt ?? null],
    );
  }
  if (questions === undefined) return;
  await session.query(
    `INSERT INTO ${schema}.questions (chunk_no, texts) VALUES ($1, $2)
     ON CONFLICT (chunk_no) DO NOTHING`,
    [no, questions],
  );
}

/** PostgreSQL stores no NUL. */
function withoutNul(record: ChunkRecord): ChunkRecord {
  return JSON.parse(JSON.stringify(record), (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value,
  );
}
