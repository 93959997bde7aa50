import { rmSync } from 'node:fs';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { SPECIFIED_SCHEMA } from '../../../test/support/database-inspection.js';
import { once, type Plants, type Scene } from './plant.js';
import { MAKE_MARK } from './site.js';

const ENDLESS =
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
const BOMB = 'length(hex(zeroblob(200000000)))';
const MARK = `UPDATE chunks SET tags = ${MAKE_MARK}`;

const trigger = (event: string, table: string, effect: string) =>
  `CREATE TRIGGER evil_${table} ${event} ON ${table} BEGIN ${effect}; END`;

/** SQL that creates the specified tables with one replacement. */
const changed = (from: string, to: string) =>
  `DROP TABLE IF EXISTS chunks_fts; DROP TABLE IF EXISTS embeddings; DROP TABLE IF EXISTS chunks; ${SPECIFIED_SCHEMA.replace(from, to)}`;

/**
 * SQL that replaces the definition of an object after SQLite has accepted it, so that nothing runs while it is planted.
 */
const exchanged = (make: string, name: string, sql: string) =>
  `${make}; UPDATE sqlite_master SET sql = '${sql.replaceAll("'", "''")}' WHERE name = '${name}'`;

/** Changes that another program may have made to a database, with one or a few statements each. */
export const HOSTILE_STATEMENTS: readonly string[] = [
  ...['chunks', 'embeddings'].flatMap((table) => [
    trigger('AFTER INSERT', table, MARK),
    trigger('BEFORE UPDATE', table, MARK),
    trigger('AFTER DELETE', table, `SELECT (${ENDLESS})`),
    trigger('AFTER INSERT', table, `SELECT ${BOMB}`),
  ]),
  `DROP TRIGGER IF EXISTS chunks_ai; CREATE TRIGGER chunks_ai AFTER DELETE ON chunks BEGIN ${MARK}; END`,
  `CREATE VIEW w AS ${ENDLESS}`,
  `DROP TABLE embeddings; CREATE VIEW embeddings (chunk_id, embedding, model) AS ${ENDLESS}`,
  `DROP TABLE chunks; CREATE VIEW chunks (id, content) AS SELECT ${BOMB}, 1`,
  exchanged('CREATE INDEX i ON chunks(heading)', 'i', `CREATE INDEX i ON chunks(${BOMB})`),
  exchanged('CREATE INDEX i ON chunks(heading)', 'i', 'CREATE INDEX i ON chunks(a COLLATE nobody)'),
  "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'chunks') WHERE name = 'embeddings'",
  "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'chunks'",
  "UPDATE sqlite_master SET rootpage = 1 + abs(random()) % 30 WHERE type = 'index'",
  "UPDATE sqlite_master SET sql = upper(sql) || char(0) WHERE name = 'chunks'",
  "UPDATE sqlite_master SET type = CAST('table' AS BLOB) WHERE name = 'chunks'",
  changed('hype_embeddings BLOB', `hype_embeddings BLOB, mine AS (${BOMB})`),
  changed('hype_embeddings BLOB', `hype_embeddings BLOB, mine NOT NULL DEFAULT (${MAKE_MARK})`),
  changed('content TEXT NOT NULL', `content TEXT NOT NULL CHECK (${BOMB} > 1)`),
  changed('content TEXT NOT NULL', `content TEXT NOT NULL AS (${MAKE_MARK})`),
  changed('content TEXT NOT NULL', 'content TEXT NOT NULL ON CONFLICT IGNORE'),
  changed('content TEXT NOT NULL', '\ufeffcontent TEXT NOT NULL'),
  changed('id TEXT PRIMARY KEY', 'id BLOB PRIMARY KEY DESC'),
  changed('ON DELETE CASCADE', 'ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED'),
  changed("content='chunks'", "content='sqlite_master'"),
  changed("content='chunks'", "content='chunks', tokenize='trigram', columnsize=0"),
  'CREATE VIRTUAL TABLE v USING rtree(a, b, c)',
  "CREATE VIRTUAL TABLE v USING fts5(a, content='chunks'); INSERT INTO v(v) VALUES ('rebuild')",
  'CREATE TABLE c (x REFERENCES chunks(source_file) ON UPDATE CASCADE)',
  'DROP TABLE chunks',
  'DROP TABLE embeddings; CREATE TABLE embeddings (chunk_id)',
  'PRAGMA encoding = "UTF-16le"; CREATE TABLE chunks (id TEXT, content TEXT)',
  `BEGIN; ${Array.from({ length: 1100 }, (_, i) => `CREATE TABLE t${i} (a, b)`).join(';')}; COMMIT`,
  ...['NULL', '1e999', "x'ff'", "'a' || char(0)", 'char(55296)', 'zeroblob(3000000)'].flatMap(
    (value) => [
      `UPDATE chunks SET content = ${value}`,
      `UPDATE chunks SET source_file = ${value}, tags = ${value}`,
      `UPDATE OR REPLACE chunks SET id = ${value}, created_at = ${value} WHERE rowid = 1`,
      `UPDATE chunks SET retrieval_count = ${value}, importance = ${value}, chunk_index = ${value}`,
    ],
  ),
  "UPDATE chunks SET source_file = '../../outside/secret.md'",
  "UPDATE chunks SET tags = replace(hex(zeroblob(50000)), '0', '[')",
  `INSERT INTO chunks WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 3000)
    SELECT 'copy' || n, 'file', 'copy' || (n % 7), '/p', n, 'H', 'tapir ' || n, NULL, .5, '2026', '2026', NULL, 0, NULL, NULL FROM r`,
  ...['zeroblob(5)', 'randomblob(4000)', 'NULL', "'text'"].map(
    (block) => `UPDATE chunks_fts_data SET block = ${block} WHERE id >= 10`,
  ),
  'UPDATE chunks_fts_config SET v = 99',
  'DELETE FROM chunks_fts_data',
  `INSERT OR REPLACE INTO chunks_fts_config VALUES ('rank', '${MAKE_MARK.replaceAll("'", "''")}')`,
  ...['user_version = -1', 'application_id = 7', 'page_size = 65536; VACUUM'].map(
    (pragma) => `PRAGMA ${pragma}`,
  ),
];

/** Databases with a hostile schema or hostile rows. */
export const DATABASE_PLANTS: Plants = {
  'a hostile database': once((scene) => planted(scene, 1)),
  'a very hostile database': once((scene) => planted(scene, 4)),
  'a damaged database': once((scene) => {
    const { random, project, databases } = scene;
    const bytes = Buffer.from(random.pick(databases));
    for (let flips = random.pick([1, 20, 2000]); flips > 0; flips -= 1) {
      bytes[random.below(bytes.length)] = random.below(256);
    }
    put(project, bytes);
  }),
};

/**
 * Writes a database. Removes what is there first: it may be a link that another plant made, through which we would
 * write.
 */
function put(project: Scene['project'], bytes: Buffer): void {
  rmSync(project.database, { recursive: true, force: true });
  project.write('.knowledge/knowledge.db', bytes);
}

function planted({ random, project, databases }: Scene, count: number): void {
  put(project, random.pick(databases));
  const statements = Array.from({ length: count }, () => random.pick(HOSTILE_STATEMENTS));
  plant(project.at('.knowledge/knowledge.db'), statements);
}

/** Runs statements as another program would. Skips those that SQLite refuses. */
export function plant(path: string, statements: readonly string[]): void {
  const db = openDatabase(path);
  db.unsafeMode(true);
  db.pragma('max_page_count = 50000');
  db.pragma('journal_mode = MEMORY');
  for (const statement of statements) {
    try {
      db.exec(`PRAGMA writable_schema = ON; ${statement}`);
    } catch {
      // A statement that SQLite refuses cannot be planted.
    }
  }
  db.close();
}
