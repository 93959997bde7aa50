import type { Database } from 'better-sqlite3';
import { FILL_TYPES, TABLES } from './schema.js';
import { columnsOf, statementsOf } from './schema-reading.js';

/** A step from one version of the schema to the next. */
export interface Migration {
  /** What `user_version` is afterwards. */
  readonly version: number;
  readonly description: string;
  /**
   * Changes tables, inside a write transaction. Idempotent, since all migrations run again where
   * another program has dropped a table. Indexes, triggers and full-text indexes are not its concern:
   * they are derived from the tables (`derived-objects.ts`) and made once all migrations have run.
   */
  up(db: Database): void;
}

/** In order; a new version of the schema is one more entry. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    description: 'the tables of the first release, with or without those of another program',
    up(db) {
      createTables(db, ['chunks', 'embeddings', 'store_sources', 'store_owned']);
      createTables(db, ['store_state', 'store_leases']);
      addColumn(db, 'chunks', 'hype_queries TEXT');
      addColumn(db, 'chunks', 'hype_embeddings BLOB');
      db.exec('DROP TABLE IF EXISTS chunks_fts');
    },
  },
  {
    version: 2,
    description: 'the rows of embeddings that the index of neighbours does not know yet',
    up(db) {
      createTables(db, ['store_vector_changes']);
      db.exec(
        "DELETE FROM store_state WHERE name IN ('embeddings_version', 'hype_embeddings_version')",
      );
    },
  },
  {
    version: 3,
    description: 'the source types of the chunks by their rows',
    up(db) {
      createTables(db, ['store_types']);
      db.exec(FILL_TYPES);
    },
  },
];

/** Written to `user_version`; a database with a higher one belongs to a newer release. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version));

/** Creates those tables of the current schema that are missing. */
function createTables(db: Database, names: readonly (keyof typeof TABLES)[]): void {
  const existing = statementsOf(db);
  for (const name of names) if (!existing.has(name)) db.exec(TABLES[name] ?? '');
}

/** Adds a column unless the table has it. */
function addColumn(db: Database, table: string, definition: string): void {
  const [name] = definition.split(' ');
  if (columnsOf(db, table).some((column) => column.name === name)) return;
  db.exec(`ALTER TABLE ${table} ADD COLUMN ${definition}`);
}
