import type { ClientBase } from 'pg';

/** Runs statements on one connection, inside one transaction if there is one. */
export interface Session {
  /** The rows of one statement with parameters. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Statements without parameters, separated by semicolons. */
  execute(sql: string): Promise<void>;
}

export function sessionOf(client: ClientBase): Session {
  return {
    query: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<Row & Record<string, unknown>>(sql, values.map(storable))).rows,
    execute: async (sql) => {
      await client.query(sql);
    },
  };
}

/** PostgreSQL stores no NUL in a text. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return Array.isArray(value) ? value.map(storable) : value;
}
