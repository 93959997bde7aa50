import type { Chunk, SourceType } from '../../../domain/chunks/chunk.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import { type Columns, inlineTable, Parameters, type Session } from '../database/session.js';
import { indexedWords, WORD_COLUMNS } from './indexed-words.js';

/** A row of the table `chunks`, without the columns that only the store uses. */
export interface ChunkRow {
  readonly id: string;
  readonly source_type: SourceType;
  readonly source_file: string;
  readonly chunk_index: number;
  readonly heading: string | null;
  readonly content: string;
  readonly tags: unknown;
  readonly importance: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The columns of a {@link ChunkRow}, of a table named `c`. */
export const CHUNK_COLUMNS = `c.id, c.source_type, c.source_file, c.chunk_index, c.heading, c.content,
  c.tags, c.importance, c.created_at, c.updated_at`;

/** @param projectPath where the project is on this machine; another process may have it elsewhere */
export function toChunk(row: ChunkRow, projectPath: string): Chunk {
  const tags = Array.isArray(row.tags) ? row.tags.filter((tag) => typeof tag === 'string') : [];
  return {
    id: row.id,
    sourceType: row.source_type,
    sourceFile: row.source_file,
    projectPath,
    chunkIndex: row.chunk_index,
    ...(row.heading !== null && { heading: row.heading }),
    content: row.content,
    ...(tags.length > 0 && { tags }),
    importance: row.importance,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export async function insertChunks(
  session: Session,
  schema: string,
  chunks: readonly NewChunk[],
): Promise<void> {
  const rows = chunks.map((chunk) => ({ chunk, indexed: indexedWords(chunk) }));
  const parameters = new Parameters();
  const { names, table } = inlineTable({ ...NEW_COLUMNS, ...WORD_COLUMNS }, rows, parameters);
  await session.query(
    `INSERT INTO ${schema}.chunks (${names}) SELECT * FROM ${table}`,
    parameters.values,
  );
}

type NewChunk = Omit<Chunk, 'projectPath'>;

const NEW_COLUMNS: Columns<{ readonly chunk: NewChunk }> = {
  id: ['text', ({ chunk }) => chunk.id],
  source_type: ['text', ({ chunk }) => chunk.sourceType],
  source_file: ['text', ({ chunk }) => chunk.sourceFile],
  chunk_index: ['integer', ({ chunk }) => chunk.chunkIndex],
  heading: ['text', ({ chunk }) => chunk.heading ?? null],
  content: ['text', ({ chunk }) => chunk.content],
  tags: ['jsonb', ({ chunk }) => tagsJson(chunk.tags)],
  importance: ['double precision', ({ chunk }) => chunk.importance],
  created_at: ['timestamptz', ({ chunk }) => chunk.createdAt],
  updated_at: ['timestamptz', ({ chunk }) => chunk.updatedAt],
};

export function tagsJson(tags: readonly string[] = []): string | null {
  if (tags.length === 0) return null;
  return JSON.stringify(tags.map((tag) => tag.replaceAll('\0', '\uFFFD')));
}

/** The parts of a chunk that are embedded. */
export interface TextRow {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

/** Translates a filter to a condition on a table of chunks named `c`. */
export function chunkCondition(filter: ChunkFilter, parameters: Parameters): string {
  const { sourceTypes, excludedSources = [], folders, sourceFiles, tags = [], chunkIds } = filter;
  const { excludedFolders = [] } = filter;
  const isBelow = (places: readonly string[]) =>
    `EXISTS (SELECT 1 FROM unnest(${parameters.add(places)}::text[]) folder WHERE starts_with(c.source_file, folder || '/'))`;
  const clauses: string[] = [];
  if (sourceTypes !== 'all') clauses.push(`c.source_type = ANY(${parameters.add(sourceTypes)})`);
  if (excludedSources.length > 0)
    clauses.push(`c.source_file <> ALL(${parameters.add(excludedSources)})`);
  if (folders) clauses.push(isBelow(folders));
  if (excludedFolders.length > 0) clauses.push(`NOT ${isBelow(excludedFolders)}`);
  if (sourceFiles) clauses.push(`c.source_file = ANY(${parameters.add(sourceFiles)})`);
  if (filter.since) clauses.push(`c.created_at >= ${parameters.add(filter.since)}::timestamptz`);
  if (filter.until) clauses.push(`c.created_at < ${parameters.add(filter.until)}::timestamptz`);
  if (tags.length > 0) clauses.push(`c.tags @> ${parameters.add(JSON.stringify(tags))}::jsonb`);
  if (chunkIds) clauses.push(`c.id = ANY(${parameters.add(chunkIds)})`);
  return clauses.length === 0 ? 'true' : clauses.join(' AND ');
}
