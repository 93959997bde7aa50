import type { Database } from 'better-sqlite3';
import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import { CHARACTERS_PER_BUDGET_TOKEN } from '../../../domain/limits.js';
import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import type { ContentStats } from '../../../domain/overview/stats.js';
import { damageError } from '../database/errors.js';
import { readSize } from '../database/files.js';
import { prepareOnce } from '../database/statements.js';
import { importanceFrom, toIsoDate } from './chunk-rows.js';

interface EntriesPart {
  readonly entries: readonly ChunkEntry[];
  /** The row of the last chunk; undefined if no row follows. */
  readonly last: number | undefined;
}

/**
 * Reads chunks without their texts, from the rows after `after`.
 * @throws `SQLITE_CORRUPT` if rows repeat, since reading would never end
 */
export function readEntries(db: Database, after: number): EntriesPart {
  const rows = prepareOnce<[number], EntryRow>(db, ENTRIES).all(after);
  const last = rows.length < ENTRIES_AT_ONCE ? undefined : rows.at(-1)?.row;
  if (last !== undefined && last <= after) throw damageError('chunks');
  return { entries: rows.map(toEntry), last };
}

/** Counts over all chunks. */
export function readStats(db: Database): ContentStats {
  const lastUpdated = toIsoDate(scalar<string | null>(db, LAST_UPDATED) ?? '');
  return {
    totalChunks: scalar<number>(db, 'SELECT count(*) FROM chunks'),
    uniqueSources: scalar<number>(db, 'SELECT count(DISTINCT source_file) FROM chunks'),
    sourceTypeBreakdown: breakdown(db),
    ...(!Number.isNaN(Date.parse(lastUpdated)) && { lastUpdated }),
    sizeBytes: db.memory || db.readonly ? scalar<number>(db, SIZE_IN_MEMORY) : readSize(db.name),
  };
}

/**
 * Skips text that is not a date, which another program may have written. A date begins with a digit, and `:` follows
 * `9`.
 */
const LAST_UPDATED = "SELECT max(updated_at) FROM chunks WHERE updated_at < ':'";

const SIZE_IN_MEMORY = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size';

function breakdown(db: Database): Readonly<Record<SourceType, number>> {
  const rows = prepareOnce<[], readonly [type: string, count: number]>(
    db,
    'SELECT source_type, count(*) FROM chunks GROUP BY source_type',
  ).raw();
  const counts = new Map(rows.all());
  const entries = SOURCE_TYPES.map((type) => [type, counts.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}

function scalar<T>(db: Database, sql: string): T {
  return prepareOnce<[], T>(db, sql).pluck().get() as T;
}

const ENTRIES_AT_ONCE = 5000;

const ENTRIES = `SELECT c.rowid AS row, c.id, c.source_type AS sourceType, c.source_file AS sourceFile,
    c.chunk_index AS chunkIndex, c.heading, c.importance, c.created_at AS createdAt, c.updated_at AS updatedAt,
    (length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN} AS tokens,
    c.retrieval_count AS retrievals, c.last_retrieved_at AS lastRetrievedAt
  FROM chunks c WHERE c.rowid > ? ORDER BY c.rowid LIMIT ${ENTRIES_AT_ONCE}`;

interface EntryRow extends Omit<ChunkEntry, 'heading' | 'importance' | 'lastRetrievedAt'> {
  readonly row: number;
  readonly heading: string | null;
  readonly importance: number | null;
  readonly lastRetrievedAt: string | null;
}

function toEntry({
  row: _,
  heading,
  importance,
  lastRetrievedAt,
  createdAt,
  updatedAt,
  ...entry
}: EntryRow): ChunkEntry {
  return {
    ...entry,
    importance: importanceFrom(importance),
    createdAt: toIsoDate(createdAt),
    updatedAt: toIsoDate(updatedAt),
    ...(heading !== null && { heading }),
    ...(lastRetrievedAt !== null && { lastRetrievedAt: toIsoDate(lastRetrievedAt) }),
  };
}
