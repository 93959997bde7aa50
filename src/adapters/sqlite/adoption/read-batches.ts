import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import { reasonOf } from '../../../domain/errors.js';
import type {
  ImportBatch,
  ImportedChunk,
  ImportedSource,
  ImportedVector,
} from '../../../ports/chunk-import.js';
import { openFile } from '../database/connection.js';
import type { Database } from '../database/driver.js';
import { toVector } from '../vectors/encodings.js';
import {
  type Columns,
  chunkFrom,
  columnsIn,
  foreignRows,
  isName,
  NAME_BYTES,
  otherObjects,
  recordOf,
  textFrom,
} from './foreign-rows.js';

export interface ReadingOptions {
  readonly path: string;
  /** Values of a vector. */
  readonly dimensions: number;
}

/**
 * Reads the rows of `chunks` and `embeddings` that fit the specification's columns. Only ordinary tables are read, row after row and
 * without their indexes, and only columns that are stored: nothing that the database defines is run.
 */
export function* readBatches({ path, dimensions }: ReadingOptions): Generator<ImportBatch> {
  const db = openFile(path, 'read');
  try {
    db.pragma('busy_timeout = 15000'); // of the program that made it
    db.exec('BEGIN');
    const leftOut = otherObjects(db);
    const chunks = columnsIn(db, 'chunks');
    const missing = REQUIRED.filter((name) => !chunks.has(name));
    if (missing.length > 0) {
      leftOut.push(
        `it has no table "chunks" with ${missing.map((name) => `"${name}"`).join(', ')}`,
      );
    } else {
      yield* chunkBatches(db, { chunks, dimensions, leftOut });
    }
    yield { chunks: [], sources: sourcesIn(db), leftOut };
  } finally {
    db.close();
  }
}

const REQUIRED = ['id', 'source_type', 'source_file', 'content'];

interface Reading {
  /** The columns of `chunks`. */
  readonly chunks: Columns;
  readonly dimensions: number;
  readonly leftOut: string[];
}

function* chunkBatches(db: Database, reading: Reading): Generator<ImportBatch> {
  const { chunks: columns, dimensions, leftOut } = reading;
  const vectorOf = vectorReader(db, reading);
  const questionModel = stateIn(db, 'hype_model');
  const counts = { rows: 0, unfit: 0, bytes: 0 };
  let batch: ImportedChunk[] = [];
  let batchBytes = 0;
  for (const row of foreignRows(db, columns, dimensions)) {
    counts.rows += 1;
    const chunk = chunkFrom(row);
    if (chunk === undefined) counts.unfit += 1;
    else {
      const vector = vectorOf(chunk.id);
      const questionVector = toVector(row.hype_embeddings, dimensions);
      batch.push(recordOf(row, chunk, { vector, questionVector, questionModel }));
      batchBytes += chunk.content.length;
    }
    const isOver = counts.rows >= ROWS_MAX || counts.bytes + batchBytes > BYTES_MAX;
    if (batch.length < BATCH_CHUNKS && batchBytes < BATCH_BYTES && !isOver) continue;
    yield { chunks: batch, sources: [], leftOut: [] };
    counts.bytes += batchBytes;
    [batch, batchBytes] = [[], 0];
    if (isOver) leftOut.push(`only the first ${counts.rows} rows of "chunks" were read`);
    if (isOver) break;
  }
  if (batch.length > 0) yield { chunks: batch, sources: [], leftOut: [] };
  if (counts.unfit > 0) {
    leftOut.push(`${counts.unfit} rows of "chunks" do not fit the types or limits of the columns`);
  }
}

const ROWS_MAX = 1_000_000;
const BYTES_MAX = 4 * 1024 ** 3;
const BATCH_CHUNKS = 250;
const BATCH_BYTES = 4_000_000;

/** Looks vectors up by the primary key; without one, or where that fails, there are none. */
function vectorReader(
  db: Database,
  { dimensions, leftOut }: Reading,
): (chunkId: string) => ImportedVector | undefined {
  const columns = columnsIn(db, 'embeddings');
  if (columns.size === 0) return () => undefined;
  const none = (why: string) => {
    leftOut.push(`its table "embeddings": ${why}`);
    return () => undefined;
  };
  if (!['chunk_id', 'embedding', 'model'].every((name) => columns.has(name))) {
    return none('a column is missing');
  }
  if (columns.get('chunk_id') !== 1) return none('"chunk_id" is not its primary key');
  try {
    const find = db.prepare<[string], { blob: unknown; model: string | null }>(
      `SELECT iif(octet_length(embedding) = ${dimensions * 4}, embedding, NULL) AS blob,
         ${textFrom(columns, 'model', NAME_BYTES)} FROM main.embeddings WHERE chunk_id = ?`,
    );
    return (id) => {
      const { blob, model = null } = find.get(id) ?? {};
      const values = toVector(blob, dimensions);
      return values && isName(model) ? { values, model } : undefined;
    };
  } catch (error) {
    return none(reasonOf(error));
  }
}

/**
 * What a database of this service had indexed. Their hash is empty, so that the next ingestion compares all their chunks; that of a
 * document without a file tells that it has none.
 */
function sourcesIn(db: Database): readonly ImportedSource[] {
  const columns = columnsIn(db, 'store_sources');
  const names = ['source_file', 'source_type', 'content_hash'];
  if (!names.every((name) => columns.has(name))) return [];
  const values = names.map((name) => textFrom(columns, name, NAME_BYTES)).join(', ');
  const rows = db.prepare<[], Readonly<Record<string, string | null>>>(
    `SELECT ${values} FROM main.store_sources NOT INDEXED LIMIT ${ROWS_MAX}`,
  );
  return rows.all().flatMap(({ source_file: file, source_type: type, content_hash: hash }) => {
    if (!isName(file) || !SOURCE_TYPES.includes(type as SourceType)) return [];
    const contentHash = hash?.startsWith(PUSHED) ? hash : '';
    return [{ sourceFile: file, sourceType: type as SourceType, contentHash }];
  });
}

/** What the hashes of documents that a former release kept in the database alone begin with. */
const PUSHED = 'pushed:';

function stateIn(db: Database, name: string): string | undefined {
  const columns = columnsIn(db, 'store_state');
  if (!columns.has('name') || !columns.has('value')) return undefined;
  const value = textFrom(columns, 'value', NAME_BYTES);
  const rows = db.prepare<[string], string | null>(
    `SELECT ${value} FROM main.store_state NOT INDEXED WHERE name = ? LIMIT 1`,
  );
  return rows.pluck().get(name) ?? undefined;
}
