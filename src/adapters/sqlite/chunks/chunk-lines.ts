import type { DraftChunk } from '../../../domain/chunks/chunk.js';
import type { Database } from '../database/driver.js';
import { prepareOnce } from '../database/statements.js';

/** The column `lines` of a source, which lists the line of each chunk; null if none is known. */
export function linesColumn(chunks: readonly DraftChunk[]): string | null {
  const isKnown = chunks.some(({ line }) => line !== undefined);
  return isKnown ? JSON.stringify(chunks.map(({ line }) => line ?? null)) : null;
}

export function readLines(db: Database, ids: readonly string[]): ReadonlyMap<string, number> {
  const rows = prepareOnce<[string], readonly [id: string, line: number]>(db, READ).raw();
  return new Map(rows.all(JSON.stringify(ids)));
}

const READ = `SELECT c.id, s.lines ->> c.chunk_index FROM json_each(?) j
  CROSS JOIN chunks c ON c.id = j.value
  CROSS JOIN store_sources s ON s.source_file = c.source_file
  WHERE s.lines ->> c.chunk_index IS NOT NULL`;
