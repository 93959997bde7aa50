import {
  type AddedRecords,
  type ChunkRecord,
  countOutcomes,
  hashWhileAdded,
  type RecordOutcome,
} from '../../../domain/transfer/records.js';
import { lockUntilCommit } from '../database/registry.js';
import type { Session } from '../database/session.js';
import { indexedWords } from '../keyword/indexed-words.js';

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
  const indexedHash = contentHash === undefined ? '' : await rememberSource(target, record);
  if (indexedHash !== '' && indexedHash !== contentHash) return 'different';
  const [present] = await session.query<PresentRow>(
    `SELECT no, heading, content FROM ${schema}.chunks WHERE id = $1 FOR KEY SHARE`,
    [chunk.id],
  );
  if (present === undefined) {
    await addBelongings(target, await insert(target, record), record);
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

async function insert(
  { session, schema }: RecordTarget,
  { chunk, contentHash }: ChunkRecord,
): Promise<number> {
  const indexed = indexedWords(chunk);
  const [row] = await session.query<{ readonly no: number }>(
    `INSERT INTO ${schema}.chunks (id, source_type, source_file, chunk_index, heading, content, tags,
       importance, created_at, updated_at, is_owned,
       words, word_count, word_positions, bigram_count, bigram_positions)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING no`,
    [
      chunk.id,
      chunk.sourceType,
      chunk.sourceFile,
      chunk.chunkIndex,
      chunk.heading ?? null,
      chunk.content,
      chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
      chunk.importance,
      chunk.createdAt,
      chunk.updatedAt,
      contentHash !== undefined,
      indexed.words,
      indexed.wordCount,
      indexed.wordPositions,
      indexed.bigramCount,
      indexed.bigramPositions,
    ],
  );
  return row?.no ?? 0;
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
function withoutNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD') as T;
  if (Array.isArray(value)) return value.map(withoutNul) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutNul(part)]),
  ) as T;
}
