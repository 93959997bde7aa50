import type { PlacedDraft } from '../../../domain/chunks/source-plan.js';
import type { ProjectContext } from '../database/postgres-database.js';
import type { SchemaSession } from '../database/session.js';

/** Stores the known first lines of chunks. The chunks must exist. */
export async function writeLines(
  { session, schema }: SchemaSession,
  placed: readonly PlacedDraft[],
): Promise<void> {
  const known = placed.filter(({ draft }) => draft.line !== undefined);
  if (known.length === 0) return;
  await session.query(
    `INSERT INTO ${schema}.lines AS l (chunk_no, line)
     SELECT c.no, n.line FROM unnest($1::text[], $2::integer[]) AS n(id, line)
     JOIN ${schema}.chunks c ON c.id = n.id
     ON CONFLICT (chunk_no) DO UPDATE SET line = excluded.line WHERE l.line <> excluded.line`,
    [known.map(({ id }) => id), known.map(({ draft }) => draft.line)],
  );
}

export async function readLines(
  { database, schema }: ProjectContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.rows<{ readonly id: string; readonly line: number }>(
    `SELECT c.id, l.line FROM ${schema}.chunks c JOIN ${schema}.lines l ON l.chunk_no = c.no
     WHERE c.id = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, line }) => [id, line]));
}
