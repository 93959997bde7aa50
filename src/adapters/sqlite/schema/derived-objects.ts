import type { Database } from 'better-sqlite3';
import {
  CHUNK_TRIGGERS,
  EMBEDDING_TRIGGERS,
  FILL_TYPES,
  FULL_TEXT_INDEX,
  INDEXES,
  REBUILD_FULL_TEXT,
  TYPE_TRIGGERS,
} from './schema.js';
import { statementsOf } from './schema-reading.js';

/** Objects that can be rebuilt from the tables; if one is missing or differs, the whole group is recreated. */
interface Group {
  /** CREATE statements by the names of the objects. */
  readonly statements: Readonly<Record<string, string>>;
  /** Fills them from the tables. */
  fill?(db: Database): unknown;
}

const GROUPS: readonly Group[] = [
  { statements: INDEXES },
  /** The index of neighbours counts as outdated after any change of the schema, so also after this one. */
  { statements: EMBEDDING_TRIGGERS },
  { statements: TYPE_TRIGGERS, fill: (db) => db.exec(FILL_TYPES) },
  {
    statements: { chunks_fts: FULL_TEXT_INDEX, ...CHUNK_TRIGGERS },
    /** `store_cjk` is created again by the next query or write that needs it. */
    fill(db) {
      db.exec(REBUILD_FULL_TEXT);
      db.exec('DROP TABLE IF EXISTS store_cjk');
    },
  },
];

/** Whether an index, a trigger or the full-text index is missing, or is not what this service makes. */
export function areDerivedObjectsOutdated(db: Database): boolean {
  return outdatedGroups(db).length > 0;
}

/** Recreates the groups in which an object is missing or differs. Must run in a write transaction. */
export function repairDerivedObjects(db: Database): void {
  for (const group of outdatedGroups(db)) make(db, group);
}

/** Recreates all derived objects. Must run in a write transaction. */
export function remakeDerivedObjects(db: Database): void {
  for (const group of GROUPS) make(db, group);
}

function outdatedGroups(db: Database): readonly Group[] {
  const found = statementsOf(db);
  return GROUPS.filter(({ statements }) =>
    Object.entries(statements).some(([name, sql]) => found.get(name) !== sql),
  );
}

/** Triggers are dropped before the index that they write to. */
function make(db: Database, { statements, fill }: Group): void {
  const entries = Object.entries(statements);
  for (const [name, sql] of entries.toReversed()) db.exec(`DROP ${kindOf(sql)} IF EXISTS ${name}`);
  for (const [, sql] of entries) db.exec(sql);
  fill?.(db);
}

/** `INDEX`, `TRIGGER` or `TABLE`. */
function kindOf(statement: string): string {
  return /^CREATE (?:VIRTUAL )?(\w+)/.exec(statement)?.[1] ?? '';
}
