import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { DEFAULT_IMPORTANCE } from '../../../domain/limits.js';
import { parseStrings, toIsoDate } from '../chunks/chunk-rows.js';
import type { Database } from '../database/driver.js';
import { toVector } from '../database/encodings.js';
import type { Columns } from './former-schema.js';

/** SQL for the reason why a row of `chunks` is left out; NULL if it is taken. */
export function chunkReason(): string {
  const types = SOURCE_TYPES.map((type) => `'${type}'`).join(', ');
  return `CASE
    WHEN NOT ${isShort('id', NAME_BYTES)} OR NOT is_name(id) THEN 'have no usable id'
    WHEN NOT ${isShort('source_file', NAME_BYTES)} OR NOT is_name(source_file) THEN 'have no usable source file'
    WHEN source_type IS NULL OR source_type NOT IN (${types}) THEN 'have no known source type'
    WHEN NOT ${isShort('content', CONTENT_BYTES)} OR NOT is_text(content) THEN 'have no text, or text that is too long'
  END`;
}

/** SQL for the reason why a row of `embeddings` is left out; NULL if it is taken. */
export function vectorReason(): string {
  return `CASE
    WHEN NOT ${isShort('model', NAME_BYTES)} OR NOT is_name(model) THEN 'have no usable model'
    WHEN typeof(embedding) <> 'blob' OR NOT is_vector(iif(octet_length(embedding) <= ${VECTOR_BYTES}, embedding, NULL))
      THEN 'have no vector, or one that is zero or not finite'
  END`;
}

/** SQL that copies chunks. A value that does not fit is replaced by the default of its column, if there is one. */
export function insertChunks(columns: Columns, questionVectors: 'taken' | 'left'): string {
  const text = (name: string, bytes: number) =>
    columns.has(name) ? `iif(${isShort(name, bytes)}, ${name}, NULL)` : 'NULL';
  const date = (name: string) => `iso_date(${text(name, NAME_BYTES)})`;
  const heading = text('heading', TEXT_BYTES);
  const questions = `strings(${text('hype_queries', TEXT_BYTES)})`;
  const blob =
    columns.has('hype_embeddings') && questionVectors === 'taken' ? 'hype_embeddings' : 'NULL';
  return `INSERT OR IGNORE INTO main.chunks (id, source_type, source_file, project_path, chunk_index, heading,
      content, tags, importance, created_at, updated_at, last_retrieved_at, retrieval_count,
      hype_queries, hype_embeddings)
    SELECT id, source_type, source_file, @projectPath, ${count('chunk_index', columns)},
      iif(is_text(${heading}), ${heading}, NULL), content, strings(${text('tags', TEXT_BYTES)}),
      ${importance(columns)}, coalesce(${date('created_at')}, @now),
      coalesce(${date('updated_at')}, ${date('created_at')}, @now), ${date('last_retrieved_at')},
      ${count('retrieval_count', columns)}, ${questions},
      iif(octet_length(${blob}) <= ${VECTOR_BYTES} AND is_vector(${blob}) AND ${questions} IS NOT NULL, ${blob}, NULL)
    FROM former.chunks NOT INDEXED
    WHERE ${chunkReason()} IS NULL AND has_room(octet_length(content))
    LIMIT ${ROWS_MAX}`;
}

export function insertVectors(columns: Columns): string {
  const date = columns.has('created_at')
    ? `iif(${isShort('created_at', NAME_BYTES)}, created_at, NULL)`
    : 'NULL';
  return `INSERT OR IGNORE INTO main.embeddings (chunk_id, embedding, model, created_at)
    SELECT chunk_id, embedding, model, coalesce(iso_date(${date}), @now)
    FROM former.embeddings NOT INDEXED
    WHERE ${vectorReason()} IS NULL AND typeof(chunk_id) = 'text' AND chunk_id IN (SELECT id FROM main.chunks)
    LIMIT ${ROWS_MAX}`;
}

export const INSERT_SOURCES = `INSERT OR IGNORE INTO main.store_sources (source_file, source_type, content_hash, chunk_count)
  SELECT source_file, source_type, '', (SELECT count(*) FROM main.chunks c WHERE c.source_file = s.source_file)
  FROM former.store_sources s NOT INDEXED
  WHERE ${isShort('source_file', 4096)} AND is_name(source_file)
    AND source_type IN (${SOURCE_TYPES.map((type) => `'${type}'`).join(', ')})
  LIMIT 1000000`;

const NAME_BYTES = 4096;
const TEXT_BYTES = 100_000;
const CONTENT_BYTES = 4_000_000;
const VECTOR_BYTES = 65_536;
const ROWS_MAX = 1_000_000;

/** SQL condition: text of at most this many bytes. Longer text is not even read. */
function isShort(name: string, bytes: number): string {
  return `(typeof(${name}) = 'text' AND octet_length(${name}) <= ${bytes})`;
}

function count(name: string, columns: Columns): string {
  if (!columns.has(name)) return '0';
  const isCount = `typeof(${name}) IN ('integer', 'real') AND ${name} = CAST(${name} AS INTEGER)`;
  return `iif(${isCount} AND ${name} BETWEEN 0 AND 2147483647, CAST(${name} AS INTEGER), 0)`;
}

function importance(columns: Columns): string {
  if (!columns.has('importance')) return `${DEFAULT_IMPORTANCE}`;
  const isNumber = `typeof(importance) IN ('integer', 'real') AND abs(importance) < 1e300`;
  return `iif(${isNumber}, CAST(importance AS REAL), ${DEFAULT_IMPORTANCE})`;
}

interface FunctionOptions {
  readonly dimensions: number;
  /** Maximum number of bytes of content to copy in total. */
  readonly contentBytes: number;
}

/** Defines the functions that these statements call. Nothing in the other database can call them. */
export function addFunctions(db: Database, { dimensions, contentBytes }: FunctionOptions): void {
  const define = (name: string, work: (value: unknown) => unknown) =>
    db.function(name, { deterministic: true, directOnly: true }, work);
  define('is_name', (value) => Number(isText(value) && value !== ''));
  define('is_text', (value) => Number(isText(value)));
  const date = withLastResult(dateFrom);
  define('iso_date', (value) => (typeof value === 'string' ? date(value) : null));
  define('strings', (value) => listFrom(value));
  define('is_vector', (value) => Number(toVector(value, dimensions) !== undefined));
  let left = contentBytes;
  db.function('has_room', { directOnly: true }, (bytes: unknown) => {
    left -= Number(bytes);
    return Number(left >= 0);
  });
}

/** Whether a value is text that every backend can store. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/** Caches the last result: chunks are written together, so most dates repeat the previous one. */
function withLastResult<T>(compute: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}

/** Converts a date to ISO 8601. Returns null unless its year has four digits, as every backend can store it. */
function dateFrom(text: string): string | null {
  const date = toIsoDate(text);
  return /^\d{4}-/.test(date) && !Number.isNaN(Date.parse(date)) ? date : null;
}

function listFrom(value: unknown): string | null {
  const strings = parseStrings(typeof value === 'string' ? value : null).filter(isText);
  return strings.length === 0 ? null : JSON.stringify(strings);
}
