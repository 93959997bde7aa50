import type { Database } from 'better-sqlite3';
import type {
  ImportBatch,
  ImportCounts,
  ImportedChunk,
  ImportedSource,
} from '../../../ports/chunk-import.js';
import type { VectorModel } from '../../../ports/vector-index.js';
import { toBlob } from '../database/encodings.js';
import { prepareOnce } from '../database/statements.js';
import { areQuestionsFrom, QUESTION_MODEL, setState } from '../database/store-state.js';
import { catchUpSideWords } from './side-words.js';
import { addMissingNames, readContentHash } from './source-rows.js';

export interface ImportTarget extends VectorModel {
  readonly projectPath: string;
}

/** Implements `StoreUpkeep.import`. Must run in a write transaction. */
export function addBatch(
  db: Database,
  { chunks, sources }: Pick<ImportBatch, 'chunks' | 'sources'>,
  target: ImportTarget,
): ImportCounts {
  const counts = addChunks(db, chunks, target);
  addSources(db, sources);
  return counts;
}

function addChunks(
  db: Database,
  chunks: readonly ImportedChunk[],
  target: ImportTarget,
): ImportCounts {
  const counts = { chunks: 0, vectors: 0, questions: 0, skipped: 0 };
  const isOfModel = areQuestionsFrom(db, target.model);
  const findText = prepareOnce<[string], readonly [string | null, string]>(
    db,
    'SELECT heading, content FROM chunks WHERE id = ?',
  ).raw();
  for (const imported of chunks) {
    const { chunk } = imported;
    const text = findText.get(chunk.id);
    const isSame = text?.[0] === (chunk.heading ?? null) && text[1] === chunk.content;
    if (text === undefined ? readContentHash(db, chunk.sourceFile) !== undefined : !isSame) {
      counts.skipped += 1;
      continue;
    }
    if (text === undefined) insertChunk(db, imported, target);
    else mergeCounts(db, imported);
    counts.chunks += 1;
    counts.questions += addQuestions(db, imported);
    counts.vectors += addVector(db, imported, target);
    if (isOfModel) counts.vectors += addQuestionVector(db, imported, target);
  }
  catchUpSideWords(db);
  addMissingNames(
    db,
    chunks.map(({ chunk }) => chunk.sourceFile),
  );
  return counts;
}

function addSources(db: Database, sources: readonly ImportedSource[]): void {
  const add = prepareOnce(
    db,
    `INSERT OR IGNORE INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (@sourceFile, @sourceType, @contentHash,
       (SELECT count(*) FROM chunks WHERE source_file = @sourceFile))`,
  );
  for (const { sourceFile, sourceType, contentHash } of sources) {
    add.run({ sourceFile, sourceType, contentHash });
  }
}

function insertChunk(
  db: Database,
  { chunk, retrievalCount, lastRetrievedAt }: ImportedChunk,
  { projectPath }: ImportTarget,
): void {
  prepareOnce(db, INSERT).run({
    ...chunk,
    projectPath,
    retrievalCount,
    lastRetrievedAt: lastRetrievedAt ?? null,
    heading: chunk.heading ?? null,
    tags: chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
  });
}

const INSERT = `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading,
    content, tags, importance, created_at, updated_at, last_retrieved_at, retrieval_count)
  VALUES (@id, @sourceType, @sourceFile, @projectPath, @chunkIndex, @heading,
    @content, @tags, @importance, @createdAt, @updatedAt, @lastRetrievedAt, @retrievalCount)`;

/** Keeps the higher count and the later time. Times are ISO 8601 in UTC, so the later one is the greater text. */
function mergeCounts(
  db: Database,
  { chunk: { id }, retrievalCount, lastRetrievedAt = '' }: ImportedChunk,
): void {
  prepareOnce(
    db,
    `UPDATE chunks SET retrieval_count = max(retrieval_count, @retrievalCount),
       last_retrieved_at = nullif(max(coalesce(last_retrieved_at, ''), @lastRetrievedAt), '')
     WHERE id = @id`,
  ).run({ id, retrievalCount, lastRetrievedAt });
}

function addQuestions(db: Database, { chunk: { id }, questions }: ImportedChunk): number {
  if (questions === undefined) return 0;
  const add = 'UPDATE chunks SET hype_queries = ? WHERE id = ? AND hype_queries IS NULL';
  return prepareOnce(db, add).run(JSON.stringify(questions), id).changes;
}

function addVector(
  db: Database,
  { chunk, vector }: ImportedChunk,
  { model }: ImportTarget,
): number {
  if (vector === undefined) return 0;
  return prepareOnce(
    db,
    'INSERT OR IGNORE INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)',
  ).run(chunk.id, toBlob(vector.values), vector.model ?? model, chunk.updatedAt).changes;
}

/**
 * Adds the vector of a chunk's questions, unless it is from another model or for other questions than the chunk has.
 */
function addQuestionVector(
  db: Database,
  { chunk: { id }, questions, questionVector }: ImportedChunk,
  { model }: ImportTarget,
): number {
  if (questionVector === undefined || (questionVector.model ?? model) !== model) return 0;
  const { changes } = prepareOnce(
    db,
    `UPDATE chunks SET hype_embeddings = ?
     WHERE id = ? AND hype_queries = ? AND hype_embeddings IS NULL`,
  ).run(toBlob(questionVector.values), id, JSON.stringify(questions));
  if (changes > 0) setState(db, QUESTION_MODEL, model);
  return changes;
}
