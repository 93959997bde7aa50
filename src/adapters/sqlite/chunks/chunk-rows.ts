import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';
import {
  CHARACTERS_PER_BUDGET_TOKEN,
  DEFAULT_IMPORTANCE,
  EMBEDDED_MAX_CHARACTERS,
  MAX_TOKENS_RANGE,
} from '../../../domain/limits.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';

/**
 * A row of `chunks`, without the columns that only the store uses. Another program may have written a
 * value of any type into any column, which `toChunk` makes text or a number again: in SQL that takes
 * longer than finding the row.
 */
export interface ChunkRow {
  readonly id: string;
  readonly source_type: StoredText;
  readonly source_file: StoredText;
  readonly project_path: StoredText;
  readonly chunk_index: StoredNumber;
  readonly heading: StoredText;
  readonly content: StoredText;
  readonly tags: StoredText;
  readonly importance: StoredNumber;
  readonly created_at: StoredText;
  readonly updated_at: StoredText;
}

/** What a column of text may hold: SQLite stores a number in it as text, but a BLOB as it is. */
type StoredText = string | Uint8Array | null;

type StoredNumber = number | string | null;

/** The columns of a {@link ChunkRow}, of a table named `c`; its text as far as it is embedded. */
export const CHUNK_COLUMNS = columnsOf(EMBEDDED_MAX_CHARACTERS);

/** The same with as much of the text as a search may return; a longer one fits into no budget. */
export const WHOLE_CHUNK_COLUMNS = columnsOf(
  MAX_TOKENS_RANGE.max * CHARACTERS_PER_BUDGET_TOKEN + 1,
);

/** A condition on a table named `c`: SQLite allows a primary key that is NULL, or a BLOB. */
export const HAS_ID = "typeof(c.id) = 'text'";

/** How often a chunk was retrieved, of a table named `c`; a count that no service has written is 0, since sums could overflow. */
export const RETRIEVALS = `iif(typeof(c.retrieval_count) = 'integer'
  AND c.retrieval_count BETWEEN 0 AND 2147483647, c.retrieval_count, 0)`;

/** The questions of a chunk, of a table named `c`; longer ones, which no service has written, count as none. */
export const QUESTIONS = `iif(octet_length(c.hype_queries) <= ${EMBEDDED_MAX_CHARACTERS},
  CAST(c.hype_queries AS TEXT), NULL)`;

/** A condition on a table named `c`: it has at least one question. */
export const HAS_QUESTIONS = `CASE WHEN octet_length(c.hype_queries) <= ${EMBEDDED_MAX_CHARACTERS}
  AND json_valid(c.hype_queries) THEN EXISTS (
  SELECT 1 FROM json_each(c.hype_queries) q WHERE q.type = 'text') END`;

/** A row from the list of its values, in the order of `columnsOf`: better-sqlite3 returns lists a third sooner than objects. */
// biome-ignore lint/suspicious/noExplicitAny: the columns have the types of ChunkRow
export function chunkRowOf(values: readonly any[]): ChunkRow {
  const [id, source_type, source_file, project_path, heading, tags, ...others] = values;
  const [created_at, updated_at, content, chunk_index, importance] = others;
  const texts = { source_type, source_file, project_path, heading, tags, content };
  return { id, ...texts, created_at, updated_at, chunk_index, importance };
}

export function toChunk(row: ChunkRow): Chunk {
  const heading = toText(row.heading);
  const tags = parseStrings(toText(row.tags));
  const createdAt = toDate(row.created_at);
  return {
    id: row.id,
    sourceType: (toText(row.source_type) ?? '') as SourceType,
    sourceFile: toText(row.source_file) ?? '',
    projectPath: toText(row.project_path) ?? '',
    chunkIndex: toPosition(row.chunk_index),
    ...(heading !== null && { heading }),
    content: toText(row.content) ?? '',
    ...(tags.length > 0 && { tags }),
    importance: toFinite(row.importance) ?? DEFAULT_IMPORTANCE,
    createdAt,
    updatedAt: row.updated_at === row.created_at ? createdAt : toDate(row.updated_at),
  };
}

/** Parses a JSON array of strings; anything else, which another program may have written, returns an empty list. */
export function parseStrings(json: string | null): readonly string[] {
  if (json === null) return [];
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * Converts a date to ISO 8601, including SQLite's `YYYY-MM-DD HH:MM:SS`, which is UTC; returns other text
 * unchanged.
 */
export function toIsoDate(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  );
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function columnsOf(contentLength: number): string {
  const texts = ['source_type', 'source_file', 'project_path', 'heading', 'tags'];
  return [
    'c.id',
    ...[...texts, 'created_at', 'updated_at'].map((column) => textOf(column)),
    textOf('content', contentLength),
    ...['chunk_index', 'importance'].map(numberOf),
  ].join(', ');
}

/** At most `length` characters; substr() ends at a NUL, so it is kept away from texts of usual length. */
function textOf(column: string, length = EMBEDDED_MAX_CHARACTERS): string {
  return `iif(octet_length(c.${column}) > ${length},
    substr(CAST(c.${column} AS TEXT), 1, ${length}), c.${column}) AS ${column}`;
}

/** A BLOB is no number, however long it is. */
function numberOf(column: string): string {
  return `iif(typeof(c.${column}) = 'blob', NULL, c.${column}) AS ${column}`;
}

function toText(value: StoredText): string | null {
  return value === null || typeof value === 'string' ? value : Buffer.from(value).toString();
}

function toDate(value: StoredText): string {
  return toIsoDate(toText(value) ?? '');
}

function toPosition(value: number | string | null): number {
  const position = toFinite(value) ?? 0;
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
}

function toFinite(value: number | string | null): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A filter as a condition on a table of chunks named `c`; undefined if every chunk matches. */
export function chunkCondition(filter: ChunkFilter): Condition | undefined {
  const { sourceTypes, excludedSources = [], tags = [] } = filter;
  const clauses: Condition[] = [];
  if (sourceTypes !== 'all') clauses.push(oneOf('c.source_type IN', sourceTypes));
  if (excludedSources.length > 0) clauses.push(oneOf('c.source_file NOT IN', excludedSources));
  if (tags.length > 0) clauses.push({ sql: HAS_ALL_TAGS, parameters: [JSON.stringify(tags)] });
  if (clauses.length === 0) return undefined;
  return {
    sql: clauses.map(({ sql }) => sql).join(' AND '),
    parameters: clauses.flatMap(({ parameters }) => parameters),
  };
}

/** Tags that are no JSON array of moderate length, which another program may have written, count as none. */
const HAS_ALL_TAGS = `CASE WHEN octet_length(c.tags) <= ${EMBEDDED_MAX_CHARACTERS}
    AND json_valid(c.tags) AND json_type(c.tags) = 'array' THEN NOT EXISTS (
      SELECT 1 FROM json_each(?) wanted WHERE wanted.value NOT IN (
        SELECT own.value FROM json_each(c.tags) own WHERE own.type = 'text'))
    ELSE false END`;

function oneOf(test: string, values: readonly string[]): Condition {
  return { sql: `${test} (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}
