import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';
import { DEFAULT_IMPORTANCE } from '../../../domain/limits.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';

/** A row of `chunks`, without the columns that only the store uses. */
export interface ChunkRow {
  readonly id: string;
  readonly source_type: SourceType;
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

/** The columns of a {@link ChunkRow}, of a table named `c`. */
export const CHUNK_COLUMNS = [
  ...['id', 'source_type', 'source_file', 'project_path', 'heading', 'tags', 'created_at'],
  ...['updated_at', 'content', 'chunk_index', 'importance'],
]
  .map((column) => `c.${column}`)
  .join(', ');

/** SQL condition on a table named `c`: the chunk has at least one question. */
export const HAS_QUESTIONS = `CASE WHEN json_valid(c.hype_queries)
  THEN EXISTS (SELECT 1 FROM json_each(c.hype_queries) q WHERE q.type = 'text') END`;

/**
 * Converts a list of values, in the order of {@link CHUNK_COLUMNS}, to a row. better-sqlite3 returns lists a third
 * faster than objects.
 */
// biome-ignore lint/suspicious/noExplicitAny: the columns have the types of ChunkRow
export function toChunkRow(values: readonly any[]): ChunkRow {
  const [id, source_type, source_file, project_path, heading, tags, ...others] = values;
  const [created_at, updated_at, content, chunk_index, importance] = others;
  const texts = { source_type, source_file, project_path, heading, tags, content };
  return { id, ...texts, created_at, updated_at, chunk_index, importance };
}

export function toChunk(row: ChunkRow): Chunk {
  const tags = parseStrings(row.tags);
  const createdAt = toIsoDate(row.created_at);
  return {
    id: row.id,
    sourceType: row.source_type,
    sourceFile: row.source_file,
    projectPath: row.project_path,
    chunkIndex: row.chunk_index,
    ...(row.heading !== null && { heading: row.heading }),
    content: row.content,
    ...(tags.length > 0 && { tags }),
    importance: importanceFrom(row.importance),
    createdAt,
    updatedAt: row.updated_at === row.created_at ? createdAt : toIsoDate(row.updated_at),
  };
}

/** Infinity and NULL, which another program may have stored, count as absent. */
export function importanceFrom(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : DEFAULT_IMPORTANCE;
}

/** Parses a JSON array of strings. Returns an empty list for anything else, which another program may have written. */
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
 * Converts a date to ISO 8601. SQLite's `YYYY-MM-DD HH:MM:SS` counts as UTC. Returns text that is not a date unchanged.
 */
export function toIsoDate(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  const date = new Date(
    /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  );
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** A query, or a part of one, and its parameters. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Translates a filter to a condition on a table of chunks named `c`; undefined if every chunk matches. */
export function chunkCondition(filter: ChunkFilter): Sql | undefined {
  const { sourceTypes, excludedSources = [], folders, sourceFiles, tags = [], chunkIds } = filter;
  const { excludedFolders = [] } = filter;
  const clauses: Sql[] = [];
  if (sourceTypes !== 'all') clauses.push(matchesAny('c.source_type IN', sourceTypes));
  if (excludedSources.length > 0) clauses.push(matchesAny('c.source_file NOT IN', excludedSources));
  if (folders) clauses.push({ sql: IS_BELOW, parameters: [JSON.stringify(folders)] });
  if (excludedFolders.length > 0) {
    clauses.push({ sql: `NOT ${IS_BELOW}`, parameters: [JSON.stringify(excludedFolders)] });
  }
  if (sourceFiles) clauses.push(matchesAny('c.source_file IN', sourceFiles));
  if (filter.since) clauses.push({ sql: IS_SINCE, parameters: [filter.since] });
  if (filter.until) clauses.push({ sql: IS_BEFORE, parameters: [filter.until] });
  if (tags.length > 0) clauses.push({ sql: HAS_ALL_TAGS, parameters: [JSON.stringify(tags)] });
  if (chunkIds) clauses.push(matchesAny('c.id IN', chunkIds));
  if (clauses.length === 0) return undefined;
  return {
    sql: clauses.map(({ sql }) => sql).join(' AND '),
    parameters: clauses.flatMap(({ parameters }) => parameters),
  };
}

const IS_BELOW = `EXISTS (SELECT 1 FROM json_each(?) folder
    WHERE substr(c.source_file, 1, length(folder.value) + 1) = folder.value || '/')`;

/** `julianday` also reads the other date formats that another program may have written. */
const IS_SINCE = 'julianday(c.created_at) >= julianday(?)';
const IS_BEFORE = 'julianday(c.created_at) < julianday(?)';

/** Tags that are not a JSON array, which another program may have written, count as no tags. */
const HAS_ALL_TAGS = `CASE WHEN json_valid(c.tags) AND json_type(c.tags) = 'array' THEN NOT EXISTS (
      SELECT 1 FROM json_each(?) wanted WHERE wanted.value NOT IN (
        SELECT own.value FROM json_each(c.tags) own WHERE own.type = 'text'))
    ELSE false END`;

function matchesAny(test: string, values: readonly string[]): Sql {
  return { sql: `${test} (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}
