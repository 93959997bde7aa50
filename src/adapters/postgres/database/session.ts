import type { ClientBase } from 'pg';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import { isConnectionLoss } from './postgres-errors.js';

/** Runs statements on one connection, and in its transaction if one is open. */
export interface Session {
  /** Runs one statement, with parameters, and returns its rows. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs statements without parameters, separated by semicolons. */
  execute(sql: string): Promise<void>;
}

/** A session, and the schema of the project whose tables its statements name. */
export interface SchemaSession {
  readonly session: Session;
  readonly schema: string;
}

export type Work<T> = (session: Session) => Promise<T>;

/** @param timeoutMs if the server has not responded to a statement by then, it counts as lost */
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

/** Replaces NUL characters, which PostgreSQL cannot store in text. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Runs `work` in a transaction, which commits when `work` resolves and rolls back when it rejects. */
export function inTransaction<T>(session: Session, work: Work<T>): Promise<T> {
  return between(
    session,
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${STORE_LOCK_TIMEOUT_MS};
     SET LOCAL statement_timeout = ${WRITE_TIMEOUT_MS}`,
    work,
  );
}

/** Runs `work`, which only reads. All its statements see the database as it was at the first of them. */
export function onSnapshot<T>(session: Session, work: Work<T>): Promise<T> {
  return between(
    session,
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL work_mem = '${WORK_MEMORY}'`,
    work,
  );
}

/** Runs `work`, which only reads and may take as long as a write: for background work, never for a search. */
export function withoutHurry<T>(session: Session, work: Work<T>): Promise<T> {
  return between(
    session,
    `BEGIN READ ONLY; SET LOCAL statement_timeout = ${WRITE_TIMEOUT_MS}`,
    work,
  );
}

/**
 * Enough for the bitmap of two million rows. From a bitmap that does not fit, the server reads whole pages and compares
 * their words again.
 */
const WORK_MEMORY = '32MB';

async function between<T>(session: Session, begin: string, work: Work<T>): Promise<T> {
  await session.execute(begin);
  try {
    const result = await work(session);
    await session.execute('COMMIT');
    return result;
  } catch (error) {
    if (!isConnectionLoss(error)) await session.execute('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Longer than the lock timeout, since a write may first wait for the lock of another process. */
export const WRITE_TIMEOUT_MS = 2 * STORE_LOCK_TIMEOUT_MS;

/** Takes a lock until the end of the transaction. Only one session at a time can hold a lock of this name. */
export async function lockUntilCommit(session: Session, name: string): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `knowledge_store ${name}`,
  ]);
}

/** Collects the parameters of a statement while its text is built. */
export class Parameters {
  readonly #values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  get values(): readonly unknown[] {
    return this.#values;
  }
}

/** Columns of a statement that writes many rows at once: the SQL type of each, and how to read its value from a row. */
export type Columns<Row> = Readonly<
  Record<string, readonly [type: string, valueIn: (row: Row) => unknown]>
>;

/** Turns rows into a table named `n`. Also returns the names of its columns. */
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
