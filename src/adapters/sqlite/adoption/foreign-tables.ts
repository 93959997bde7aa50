import { headOf } from '../../../domain/chunks/text.js';
import type { Database } from '../database/driver.js';
import { prepared } from '../database/prepared.js';

/** The stored columns of a table, in small letters. */
export class Columns extends Set<string> {
  readonly #keys: ReadonlySet<string>;

  constructor(names: readonly string[], keys: readonly string[]) {
    super(names);
    this.#keys = new Set(keys);
  }

  /** Whether rows are found by this column: it is the first of the primary key. */
  isKey(name: string): boolean {
    return this.#keys.has(name);
  }
}

/** The columns of an ordinary table that are stored; none of a view, a virtual table, or if there is no such table. */
export function columnsIn(db: Database, table: string): Columns {
  const isTable = prepared<[string], number>(
    db,
    `SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND lower(name) = ?`,
  ).pluck();
  if (isTable.get(table) === undefined) return new Columns([], []);
  const rows = prepared<[string], { readonly name: string; readonly pk: number }>(
    db,
    'SELECT lower(name) AS name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0',
  ).all(table);
  const keys = rows.filter(({ pk }) => pk === 1);
  return new Columns(
    rows.map(({ name }) => name),
    keys.map(({ name }) => name),
  );
}

/** SQL for a column of text of at most so many bytes, else NULL. A longer one is not even read. */
export function textFrom(columns: ReadonlySet<string>, name: string, bytes: number): string {
  if (!columns.has(name)) return `NULL AS ${name}`;
  return `iif(typeof(${name}) = 'text' AND octet_length(${name}) <= ${bytes}, ${name}, NULL) AS ${name}`;
}

/** SQL for a column of numbers, else NULL. */
export function numberFrom(columns: ReadonlySet<string>, name: string): string {
  if (!columns.has(name)) return `NULL AS ${name}`;
  return `iif(typeof(${name}) IN ('integer', 'real'), ${name}, NULL) AS ${name}`;
}

/** Sentences about objects of a database that are not adopted, except those of this service's own releases. */
export function otherObjects(db: Database): string[] {
  const names = db
    .prepare<[], string>(
      `SELECT type || ' ' || name FROM sqlite_schema
       WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'store_*' AND name NOT GLOB 'chunks*'
         AND name NOT GLOB 'embeddings*' AND sql IS NOT NULL LIMIT ${NAMED_MAX + 1}`,
    )
    .pluck()
    .all()
    .map((name) => JSON.stringify(headOf(name, NAME_MAX_CHARACTERS)));
  if (names.length === 0) return [];
  const more = names.length > NAMED_MAX ? ' and more' : '';
  return [`what is not knowledge: ${names.slice(0, NAMED_MAX).join(', ')}${more}`];
}

const NAMED_MAX = 10;
const NAME_MAX_CHARACTERS = 80;
