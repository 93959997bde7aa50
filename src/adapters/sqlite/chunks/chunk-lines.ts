import type { PlacedDraft } from '../../../domain/chunks/source-plan.js';
import type { Database } from '../database/driver.js';
import { prepared } from '../database/statements.js';

/** Stores in which lines chunks begin, as far as it is known. The chunks must be there. */
export function writeLines(db: Database, placed: readonly PlacedDraft[]): void {
  const lines = placed.flatMap(({ id, draft }) =>
    draft.line === undefined ? [] : [{ id, line: draft.line }],
  );
  if (lines.length > 0) prepared(db, WRITE).run(JSON.stringify(lines));
}

export function readLines(db: Database, ids: readonly string[]): ReadonlyMap<string, number> {
  const rows = prepared<[string], readonly [id: string, line: number]>(db, READ).raw();
  return new Map(rows.all(JSON.stringify(ids)));
}

const WRITE = `INSERT INTO store_lines (chunk_id, line)
  SELECT value ->> 'id', value ->> 'line' FROM json_each(?) WHERE true
  ON CONFLICT (chunk_id) DO UPDATE SET line = excluded.line WHERE line <> excluded.line`;

const READ = `SELECT l.chunk_id, l.line FROM json_each(?) j
  CROSS JOIN store_lines l ON l.chunk_id = j.value`;
