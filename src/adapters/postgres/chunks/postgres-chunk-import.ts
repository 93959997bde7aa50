import { embeddingText } from '../../../domain/chunks/chunk.js';
import {
  addCounts,
  type ImportBatch,
  type ImportCounts,
  type ImportedChunk,
  type ImportedSource,
} from '../../../ports/chunk-import.js';
import type { VectorIndex } from '../../../ports/vector-index.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { isRefusedValue } from '../database/postgres-errors.js';
import { lockUntilCommit, type Session } from '../database/session.js';
import { insertChunks, type TextRow } from './chunk-rows.js';
import { addMissingNames } from './source-names.js';

export interface ImportTarget {
  /** The embedding model of the store. */
  readonly model: string;
  readonly vectors: VectorIndex;
}

/**
 * Implements `StoreUpkeep.import`. Skips only the chunks with a value that PostgreSQL refuses, which it finds by
 * halving the batch.
 */
export async function importBatch(
  project: ProjectContext,
  batch: Pick<ImportBatch, 'chunks' | 'sources'>,
  target: ImportTarget,
): Promise<ImportCounts> {
  try {
    return await importAll(project, batch, target);
  } catch (error) {
    const { chunks, sources } = batch;
    if (!isRefusedValue(error) || chunks.length === 0) throw error;
    const half = Math.floor(chunks.length / 2);
    if (half === 0) {
      const counts = await importAll(project, { chunks: [], sources }, target);
      return { ...counts, skipped: 1 };
    }
    const first = await importBatch(
      project,
      { chunks: chunks.slice(0, half), sources: [] },
      target,
    );
    // Sources come last, because no chunks are added to a source that is already indexed.
    const second = await importBatch(project, { chunks: chunks.slice(half), sources }, target);
    return addCounts(first, second);
  }
}

/** Imports chunks, counts, questions and sources in one transaction, and then the vectors. */
async function importAll(
  { database, schema }: ProjectContext,
  { chunks, sources }: Pick<ImportBatch, 'chunks' | 'sources'>,
  { model, vectors }: ImportTarget,
): Promise<ImportCounts> {
  const sourceFiles = chunks.map(({ chunk }) => chunk.sourceFile);
  const { taken, questions } = await database.transaction(async (session) => {
    const added = await addChunks(session, schema, chunks);
    await addMissingNames({ session, schema }, sourceFiles);
    await addSources(session, schema, sources);
    return added;
  });
  const isOfModel = (vector: ImportedChunk['vector']) => (vector?.model ?? model) === model;
  const ofTexts = taken.flatMap(({ chunk, vector }) => {
    if (vector === undefined || !isOfModel(vector)) return [];
    return [{ id: chunk.id, texts: [embeddingText(chunk)], vector: vector.values }];
  });
  const ofQuestions = taken.flatMap(({ chunk, questions: texts, questionVector: vector }) => {
    if (vector === undefined || texts === undefined || !isOfModel(vector)) return [];
    return [{ id: chunk.id, texts, vector: vector.values }];
  });
  return {
    chunks: taken.length,
    vectors:
      (await vectors.put('content', ofTexts)) + (await vectors.put('questions', ofQuestions)),
    questions,
    skipped: chunks.length - taken.length,
  };
}

async function addSources(
  session: Session,
  schema: string,
  sources: readonly ImportedSource[],
): Promise<void> {
  await session.query(
    `INSERT INTO ${schema}.sources (source_file, source_type, content_hash, chunk_count)
     SELECT n.*, (SELECT count(*) FROM ${schema}.chunks c WHERE c.source_file = n.source_file)
     FROM unnest($1::text[], $2::text[], $3::text[]) AS n(source_file, source_type, content_hash)
     ON CONFLICT (source_file) DO NOTHING`,
    [
      sources.map(({ sourceFile }) => sourceFile),
      sources.map(({ sourceType }) => sourceType),
      sources.map(({ contentHash }) => contentHash),
    ],
  );
}

interface Added {
  /** The chunks that were added, or were already stored with the same text. */
  readonly taken: readonly ImportedChunk[];
  readonly questions: number;
}

async function addChunks(
  session: Session,
  schema: string,
  chunks: readonly ImportedChunk[],
): Promise<Added> {
  const files = new Set(chunks.map(({ chunk }) => chunk.sourceFile));
  // Locks in sorted order, so that two imports never deadlock.
  for (const file of [...files].toSorted()) await lockUntilCommit(session, `${schema} ${file}`);
  const indexed = await session.query<{ readonly file: string }>(
    `SELECT source_file AS file FROM ${schema}.sources WHERE source_file = ANY($1)`,
    [[...files]],
  );
  const present = await session.query<TextRow>(
    `SELECT id, heading, content FROM ${schema}.chunks WHERE id = ANY($1) FOR KEY SHARE`,
    [chunks.map(({ chunk }) => chunk.id)],
  );
  const isIndexed = new Set(indexed.map(({ file }) => file));
  const texts = new Map(present.map((row) => [row.id, textKey(row)]));
  const added: ImportedChunk[] = [];
  const merged: ImportedChunk[] = [];
  for (const imported of chunks) {
    const { chunk } = imported;
    const text = texts.get(chunk.id);
    if (text === textKey(chunk)) merged.push(imported);
    if (text !== undefined || isIndexed.has(chunk.sourceFile)) continue;
    texts.set(chunk.id, textKey(chunk));
    added.push(imported);
  }
  await insertChunks(
    session,
    schema,
    added.map(({ chunk }) => chunk),
  );
  const taken = [...added, ...merged];
  let questions = 0;
  for (const imported of taken) questions += await addBelongings(session, schema, imported);
  return { taken, questions };
}

function textKey({ heading, content }: { heading?: string | null; content: string }): string {
  return JSON.stringify([heading ?? null, content]);
}

/** Adds the counts and questions of a chunk. Returns 1 if questions were added. */
async function addBelongings(
  session: Session,
  schema: string,
  { chunk: { id }, retrievalCount, lastRetrievedAt, questions }: ImportedChunk,
): Promise<0 | 1> {
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
  if (questions === undefined) return 0;
  const rows = await session.query(
    `INSERT INTO ${schema}.questions (chunk_no, texts)
     SELECT no, $2::text[] FROM ${schema}.chunks WHERE id = $1
     ON CONFLICT (chunk_no) DO NOTHING RETURNING 1`,
    [id, questions],
  );
  return rows.length > 0 ? 1 : 0;
}
