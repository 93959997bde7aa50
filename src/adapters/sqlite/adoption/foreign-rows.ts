import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { headOf } from '../../../domain/chunks/text.js';
import type { ImportedChunk, ImportedVector } from '../../../ports/chunk-import.js';
import { importanceFrom, parseStrings, toIsoDate } from '../chunks/chunk-rows.js';
import type { Database } from '../database/driver.js';
import { prepared } from '../database/statements.js';

/** A row of `chunks` of another database: a value of another type, or that is too long, is NULL. */
interface ForeignRow {
  readonly id: string | null;
  readonly source_type: string | null;
  readonly source_file: string | null;
  readonly chunk_index: number | null;
  readonly heading: string | null;
  readonly content: string | null;
  readonly tags: string | null;
  readonly importance: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly last_retrieved_at: string | null;
  readonly retrieval_count: number | null;
  readonly hype_queries: string | null;
  readonly hype_embeddings: unknown;
}

/** In the order of the table, without its indexes. */
export function foreignRows(
  db: Database,
  columns: Columns,
  dimensions: number,
): Iterable<ForeignRow> {
  const text = (name: string, bytes: number) => textFrom(columns, name, bytes);
  const values = [
    text('id', NAME_BYTES),
    text('source_type', NAME_BYTES),
    text('source_file', NAME_BYTES),
    text('heading', TEXT_BYTES),
    text('content', CONTENT_BYTES),
    text('tags', TEXT_BYTES),
    ...['created_at', 'updated_at', 'last_retrieved_at'].map((name) => text(name, NAME_BYTES)),
    text('hype_queries', TEXT_BYTES),
    ...['chunk_index', 'importance', 'retrieval_count'].map((name) => numberFrom(columns, name)),
    columns.has('hype_embeddings')
      ? `iif(octet_length(hype_embeddings) = ${dimensions * 4}, hype_embeddings, NULL) AS hype_embeddings`
      : 'NULL AS hype_embeddings',
  ];
  return db
    .prepare<[], ForeignRow>(`SELECT ${values.join(', ')} FROM main.chunks NOT INDEXED`)
    .iterate();
}

export const NAME_BYTES = 4096;
const TEXT_BYTES = 100_000;
const CONTENT_BYTES = 4_000_000;

/** Undefined where a required value does not fit. */
export function chunkFrom(row: ForeignRow): ImportedChunk['chunk'] | undefined {
  const { id, source_type: type, source_file: sourceFile, content, heading } = row;
  const sourceType = SOURCE_TYPES.find((known) => known === type);
  if (!isName(id) || !isName(sourceFile) || sourceType === undefined) return undefined;
  if (content === null || !isText(content)) return undefined;
  const tags = parseStrings(row.tags);
  const now = new Date().toISOString();
  const createdAt = dateFrom(row.created_at) ?? now;
  return {
    ...{ id, sourceType, sourceFile, content, createdAt },
    chunkIndex: countFrom(row.chunk_index),
    ...(heading !== null && isText(heading) && { heading }),
    ...(tags.length > 0 && { tags }),
    importance: importanceFrom(row.importance),
    updatedAt: dateFrom(row.updated_at) ?? createdAt,
  };
}

interface ForeignVectors {
  readonly vector: ImportedVector | undefined;
  readonly questionVector: Float32Array | undefined;
  readonly questionModel: string | undefined;
}

export function recordOf(
  row: ForeignRow,
  chunk: ImportedChunk['chunk'],
  { vector, questionVector, questionModel: model }: ForeignVectors,
): ImportedChunk {
  const questions = parseStrings(row.hype_queries).filter(isText);
  const lastRetrievedAt = dateFrom(row.last_retrieved_at);
  const hasVector = questions.length > 0 && questionVector !== undefined;
  return {
    chunk,
    retrievalCount: countFrom(row.retrieval_count),
    ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
    ...(questions.length > 0 && { questions }),
    ...(vector !== undefined && { vector }),
    ...(hasVector && { questionVector: { values: questionVector, model } }),
  };
}

/** What every backend can store as a key. */
export function isName(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '' && isText(text);
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function dateFrom(text: string | null): string | undefined {
  const date = toIsoDate(text ?? '');
  return Number.isNaN(Date.parse(date)) ? undefined : date;
}

function countFrom(value: number | null): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
    ? (value as number)
    : 0;
}

/** The stored columns of a table, in small letters, with their places in the primary key; 0 for others. */
export type Columns = ReadonlyMap<string, number>;

/** None of a view, a virtual table, or if there is no such table. */
export function columnsIn(db: Database, table: string): Columns {
  const isTable = prepared<[string], number>(
    db,
    `SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND lower(name) = ?`,
  ).pluck();
  if (isTable.get(table) === undefined) return new Map();
  const rows = prepared<[string], readonly [name: string, place: number]>(
    db,
    'SELECT lower(name), pk FROM pragma_table_xinfo(?) WHERE hidden = 0',
  ).raw();
  return new Map(rows.all(table));
}

/** SQL for a column of text of at most so many bytes, else NULL. A longer one is not even read. */
export function textFrom(columns: Columns, name: string, bytes: number): string {
  if (!columns.has(name)) return `NULL AS ${name}`;
  return `iif(typeof(${name}) = 'text' AND octet_length(${name}) <= ${bytes}, ${name}, NULL) AS ${name}`;
}

/** SQL for a column of numbers, else NULL. */
function numberFrom(columns: Columns, name: string): string {
  if (!columns.has(name)) return `NULL AS ${name}`;
  return `iif(typeof(${name}) IN ('integer', 'real'), ${name}, NULL) AS ${name}`;
}

/** Sentences about objects of a database that are not adopted, except those of this service's own releases. */
export function otherObjects(db: Database): string[] {
  const names = db
    .prepare<[], string>(
      `SELECT type || ' ' || name FROM sqlite_schema
       WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'store_*' AND name NOT GLOB 'chunks*'
         AND name NOT GLOB 'embeddings*' AND name NOT GLOB 'side_words*' AND name NOT GLOB 'citations_by_*'
         AND sql IS NOT NULL LIMIT ${NAMED_MAX + 1}`,
    )
    .pluck()
    .all()
    .map((name) => JSON.stringify(headOf(name, NAME_MAX_CHARACTERS)));
  if (names.length === 0) return [];
  const more = names.length > NAMED_MAX ? ' and more' : '';
  return [`what is not knowledge: ${names.slice(0, NAMED_MAX).join(', ')}${more}`];
}

const NAMED_MAX = 10;
const NAME_MAX_CHARACTERS = 80;
