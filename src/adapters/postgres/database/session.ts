import type { ClientBase } from 'pg';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import { isConnectionLoss } from './postgres-errors.js';

/** Runs statements on one connection, inside one transaction if there is one. */
export interface Session {
  /** The rows of one statement with parameters. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Statements without parameters, separated by semicolons. */
  execute(sql: string): Promise<void>;
}

/** A session, and the schema of the project whose tables its statements name. */
export interface SchemaSession {
  readonly session: Session;
  readonly schema: string;
}

export type Work<T> = (session: Session) => Promise<T>;

/** @param timeoutMs after which a server that does not answer a statement counts as lost */
export function openSession(client: ClientBase, timeoutMs: number): Session {
  const run = async (text: string, values: readonly unknown[] = []) => {
    const limits = { query_timeout: timeoutMs };
    const parameters = values.length > 0 ? { values: values.map(storable) } : {};
    return client.query({ text, ...parameters, ...limits });
  };
  return {
    query: async (sql, values) => (await run(sql, values)).rows,
    execute: async (sql) => {
      await run(sql);
    },
  };
}

/** PostgreSQL cannot store a NUL in text. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Commits when `work` resolves, and rolls back when it rejects. */
export async function inTransaction<T>(session: Session, work: Work<T>): Promise<T> {
  await session.execute(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${STORE_LOCK_TIMEOUT_MS};
     SET LOCAL statement_timeout = ${WRITE_TIMEOUT_MS}`,
  );
  try {
    const result = await work(session);
    await session.execute('COMMIT');
    return result;
  } catch (error) {
    if (!isConnectionLoss(error)) await session.execute('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** A statement of a write may first wait for the lock of another process. */
export const WRITE_TIMEOUT_MS = 2 * STORE_LOCK_TIMEOUT_MS;

/** Takes a lock until the end of the transaction; only one session holds a lock of this name. */
export async function lockUntilCommit(session: Session, name: string): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `knowledge_store ${name}`,
  ]);
}

/** The values of a statement, collected while its text is built. */
export class Parameters {
  readonly #values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  get values(): readonly unknown[] {
    return this.#values;
  }
}

/** The columns of a statement that takes many rows at once: the type of each, and its value in a row. */
export type Columns<Row> = Readonly<
  Record<string, readonly [type: string, valueIn: (row: Row) => unknown]>
>;

/** Rows as a table named `n`, and the names of its columns. */
export function inlineTable<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  parameters: Parameters,
): { readonly names: string; readonly table: string } {
  const names = Object.keys(columns).join(', ');
  const arrays = Object.values(columns).map(
    ([type, valueIn]) => `${parameters.add(rows.map(valueIn))}::${type}[]`,
  );
  return { names, table: `unnest(${arrays.join(', ')}) AS n(${names})` };
}
