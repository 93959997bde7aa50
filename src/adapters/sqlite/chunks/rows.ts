import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';

/** A row of `chunks`, without the columns that only the store uses. */
export interface ChunkRow {
  readonly id: string;
  readonly source_type: string;
  readonly source_file: string;
  readonly project_path: string;
  readonly chunk_index: number;
  readonly heading: string | null;
  readonly content: string;
  readonly tags: string | null;
  readonly importance: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The columns of a {@link ChunkRow}, of a table named `c`. They are cast, because another program may have written any type. */
export const CHUNK_COLUMNS = [
  'c.id',
  ...['source_type', 'source_file', 'project_path', 'heading', 'tags'].map(asText),
  "coalesce(CAST(c.content AS TEXT), '') AS content",
  ...['created_at', 'updated_at'].map(asText),
  'CAST(c.chunk_index AS INTEGER) AS chunk_index',
  'CAST(c.importance AS REAL) AS importance',
].join(', ');

/** A condition on a table named `c`: SQLite allows a primary key that is NULL, or a BLOB. */
export const HAS_ID = "typeof(c.id) = 'text'";

export function toChunk(row: ChunkRow): Chunk {
  const tags = parseStrings(row.tags);
  return {
    id: row.id,
    sourceType: row.source_type as SourceType,
    sourceFile: row.source_file,
    projectPath: row.project_path,
    chunkIndex: row.chunk_index,
    ...(row.heading !== null && { heading: row.heading }),
    content: row.content,
    ...(tags.length > 0 && { tags }),
    importance: row.importance,
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

function asText(column: string): string {
  return `CAST(c.${column} AS TEXT) AS ${column}`;
}
