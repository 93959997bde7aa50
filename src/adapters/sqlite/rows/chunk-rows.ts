import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';
import {
  CHARACTERS_PER_BUDGET_TOKEN,
  DEFAULT_IMPORTANCE,
  EMBEDDED_MAX_CHARACTERS,
  MAX_TOKENS_RANGE,
} from '../../../domain/limits.js';

/**
 * A row of `chunks`, without the columns that only the store uses. Another program may have written a
 * value of any type into any column: the columns below read text as text and leave numbers to `toChunk`.
 */
export interface ChunkRow {
  readonly id: string;
  readonly source_type: string;
  readonly source_file: string;
  readonly project_path: string;
  readonly chunk_index: number | string | null;
  readonly heading: string | null;
  readonly content: string;
  readonly tags: string | null;
  readonly importance: number | string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The columns of a {@link ChunkRow}, of a table named `c`; its text as far as it is embedded. */
export const CHUNK_COLUMNS = columnsOf(EMBEDDED_MAX_CHARACTERS);

/** The same with as much of the text as a search may return; a longer one fits into no budget. */
export const WHOLE_CHUNK_COLUMNS = columnsOf(
  MAX_TOKENS_RANGE.max * CHARACTERS_PER_BUDGET_TOKEN + 1,
);

/** A condition on a table named `c`: SQLite allows a primary key that is NULL, or a BLOB. */
export const HAS_ID = "typeof(c.id) = 'text'";

export function toChunk(row: ChunkRow): Chunk {
  const tags = parseStrings(row.tags);
  return {
    id: row.id,
    sourceType: row.source_type as SourceType,
    sourceFile: row.source_file,
    projectPath: row.project_path,
    chunkIndex: toPosition(row.chunk_index),
    ...(row.heading !== null && { heading: row.heading }),
    content: row.content,
    ...(tags.length > 0 && { tags }),
    importance: toFinite(row.importance) ?? DEFAULT_IMPORTANCE,
    createdAt: toIsoDate(row.created_at),
    updatedAt: toIsoDate(row.updated_at),
  };
}

/** Parses a JSON array of strings; anything else, which another program may have written, returns an empty list. */
export function parseStrings(json: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** Converts a date to ISO 8601, including SQLite's `YYYY-MM-DD HH:MM:SS`, which is UTC; returns other text unchanged. */
export function toIsoDate(text: string): string {
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  );
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function columnsOf(contentLength: number): string {
  const required = ['source_type', 'source_file', 'project_path', 'created_at', 'updated_at'];
  return [
    'c.id',
    ...required.map((column) => `coalesce(${textOf(column)}, '') AS ${column}`),
    ...['heading', 'tags'].map((column) => `${textOf(column)} AS ${column}`),
    `coalesce(${textOf('content', contentLength)}, '') AS content`,
    ...['chunk_index', 'importance'].map(
      (column) => `iif(typeof(c.${column}) = 'blob', NULL, c.${column}) AS ${column}`,
    ),
  ].join(', ');
}

/** At most `length` characters; substr() ends at a NUL, so it is kept away from texts of usual length. */
function textOf(column: string, length = EMBEDDED_MAX_CHARACTERS): string {
  const text = `CAST(c.${column} AS TEXT)`;
  return `iif(octet_length(c.${column}) > ${length}, substr(${text}, 1, ${length}), ${text})`;
}

function toPosition(value: number | string | null): number {
  const position = toFinite(value) ?? 0;
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
}

function toFinite(value: number | string | null): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
