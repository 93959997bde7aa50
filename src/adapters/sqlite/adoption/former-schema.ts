import { takeHead } from '../../../domain/text.js';
import type { Database } from '../database/driver.js';

/** The stored columns of a table, in lower case. */
export type Columns = ReadonlySet<string>;

/** The columns of a table of the attached database; empty for a view, a virtual table or a missing table. */
export function readColumns(db: Database, table: string): Columns {
  const isTable = db
    .prepare<[string], number>(
      `SELECT 1 FROM former.sqlite_schema
       WHERE type = 'table' AND rootpage > 0 AND lower(name) = ? AND sql LIKE 'CREATE TABLE%'`,
    )
    .get(table);
  if (isTable === undefined) return new Set();
  const names = db
    .prepare<[string], string>(
      `SELECT lower(name) FROM pragma_table_xinfo(?, 'former') WHERE hidden = 0`,
    )
    .pluck();
  return new Set(names.all(table));
}

/** Describes the objects of a database that are not adopted, except those of our own releases. */
export function otherObjects(db: Database): readonly string[] {
  const names = db
    .prepare<[], string>(
      `SELECT type || ' ' || name FROM former.sqlite_schema
       WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB 'store_*' AND name NOT GLOB 'chunks*'
         AND name NOT GLOB 'embeddings*' AND name NOT GLOB 'side_words*' AND name NOT GLOB 'citations_by_*'
         AND sql IS NOT NULL LIMIT ${NAMED_MAX + 1}`,
    )
    .pluck()
    .all()
    .map((name) => JSON.stringify(takeHead(name, NAME_MAX_CHARACTERS)));
  if (names.length === 0) return [];
  const more = names.length > NAMED_MAX ? ' and more' : '';
  return [`objects of other programs: ${names.slice(0, NAMED_MAX).join(', ')}${more}`];
}

const NAMED_MAX = 10;
const NAME_MAX_CHARACTERS = 80;
