import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import type { Random } from '../../faults/random.js';
import { once, type Plants, type Scene } from './plant.js';
import { HOSTILE_TABLES, hostileRow, triggerThatRuns } from './schema-rows.js';
import { MAKE_MARK } from './site.js';

/** Databases whose schema and rows say what they should not. */
export const SQL_PLANTS: Plants = {
  'rows of the schema': once((scene) => execute(scene, (random) => hostileRow(random))),
  'a trigger that runs': once((scene) => execute(scene, triggerThatRuns, 1)),
  'objects of the schema': once((scene) => execute(scene, (random) => random.pick(HOSTILE_TABLES))),
  'values of rows': once((scene) => execute(scene, hostileValue)),
  'state of the full-text index': once((scene) => execute(scene, hostileIndex)),
  pragmas: once((scene) => execute(scene, hostilePragma)),
  'many tables': once((scene) => execute(scene, manyTables, 1)),
  'another encoding': once((scene) => {
    scene.project.delete('.knowledge/knowledge.db');
    execute(
      scene,
      () => 'PRAGMA encoding = "UTF-16le"; CREATE TABLE chunks (id TEXT, content TEXT)',
      1,
    );
  }),
};

/** Runs a few statements; those that this database refuses are left out. */
function execute(scene: Scene, statement: (random: Random) => string, most = 4): void {
  const { random, project, databases } = scene;
  const path = project.at('.knowledge/knowledge.db');
  project.write('.knowledge/knowledge.db', random.pick(databases));
  const db = new Database(path);
  db.unsafeMode(true);
  db.pragma('synchronous = OFF');
  db.pragma('max_page_count = 50000');
  db.pragma('journal_mode = MEMORY');
  for (let count = 1 + random.below(most); count > 0; count -= 1) {
    try {
      db.exec(`PRAGMA writable_schema = ON; ${statement(random)}`);
    } catch {
      // What SQLite refuses cannot be planted.
    }
  }
  if (random.below(2) === 0) db.pragma('journal_mode = WAL');
  db.close();
}

const TABLES = {
  chunks: ['id', 'source_type', 'source_file', 'project_path', 'chunk_index', 'heading', 'content'],
  'chunks ': ['tags', 'importance', 'created_at', 'updated_at', 'retrieval_count', 'hype_queries'],
  embeddings: ['chunk_id', 'embedding', 'model', 'created_at'],
  store_sources: ['source_file', 'source_type', 'content_hash', 'chunk_count'],
  store_state: ['name', 'value'],
  store_leases: ['name', 'holder', 'expires_at'],
  store_types: ['row', 'source_type'],
  store_owned: ['chunk_id'],
} as const;

const VALUES = [
  'NULL',
  '1e999',
  '-1e999',
  '9223372036854775807',
  '-9223372036854775808',
  '-1',
  '0.5',
  "''",
  "x''",
  'zeroblob(10)',
  'zeroblob(3000000)',
  'randomblob(1536)',
  "CAST(x'ff00fe' AS TEXT)",
  "'a' || char(0) || 'b'",
  "'../../outside/secret.md'",
  "'/etc/passwd'",
  "'outside'",
  "'.'",
  "'a.md/../../x'",
  "'[1,2'",
  '\'["a",null,1e999]\'',
  "replace(hex(zeroblob(50000)), '0', '[')",
  "replace(hex(zeroblob(500000)), '0', 'a ')",
  "'9999-12-31T23:59:59.999Z'",
  "'-271821-04-20'",
  "'NaN'",
  "'__proto__'",
  "char(10) || '## x'",
  "char(0x202e) || 'x'",
  'char(55296)',
  'rowid',
  'random()',
] as const;

function hostileValue(random: Random): string {
  const table = random.pick(Object.keys(TABLES)) as keyof typeof TABLES;
  const column = random.pick<string>(TABLES[table]);
  const where = random.below(2) === 0 ? '' : ` WHERE rowid = ${1 + random.below(5)}`;
  if (random.below(4) === 0) return random.pick(KNOWN_VALUES);
  return `UPDATE OR REPLACE ${table} SET ${column} = ${random.pick(VALUES)}${where}`;
}

/** Many rows that are almost the same. */
const COPIES = `INSERT INTO chunks WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 3000)
  SELECT 'copy' || n, 'file', 'copy' || (n % 7), '/p', n, 'H', 'tapir tapir ' || n, NULL, .5, '2026', '2026', NULL, 0, NULL, NULL FROM r`;

/** What has been mended. */
const KNOWN_VALUES = [
  COPIES,
  'UPDATE chunks SET retrieval_count = 9223372036854775807',
  "UPDATE store_sources SET source_file = x'ff' WHERE rowid = 1",
  'UPDATE store_sources SET content_hash = 7, source_type = 0.5',
  "UPDATE chunks SET source_file = 'a' || char(0) || 'b' WHERE rowid = 1",
];

const KNOWN_STATES = [
  'UPDATE chunks_fts_data SET block = zeroblob(5) WHERE id = 10',
  'UPDATE store_cjk_data SET block = zeroblob(5) WHERE id = 10',
  'UPDATE chunks_fts_config SET v = 99',
  'DELETE FROM chunks_fts_docsize',
];

function hostileIndex(random: Random): string {
  if (random.below(4) === 0) return random.pick(KNOWN_STATES);
  const block = random.pick([
    'zeroblob(5)',
    'randomblob(9)',
    'randomblob(4000)',
    'zeroblob(5000000)',
    "x'000000010fffffff0fffffff01'",
    'NULL',
    "'text'",
    '7',
  ]);
  const place = random.pick(['id = 10', 'id = 1', 'id > 10', '1']);
  return random.pick([
    `UPDATE chunks_fts_data SET block = ${block} WHERE ${place}`,
    `UPDATE chunks_fts_docsize SET sz = ${block}`,
    `UPDATE chunks_fts_idx SET pgno = ${random.pick(['-1', '9223372036854775807', '0', 'NULL', "'x'"])}`,
    `UPDATE chunks_fts_config SET v = ${random.pick(['99', '-1', 'zeroblob(100000)', "'x'", 'NULL'])}`,
    `INSERT OR REPLACE INTO chunks_fts_config VALUES (${random.pick(["'rank'", "'pgsz'", "'crisismerge'", "'hashsize'", "'secure-delete'", "'deletemerge'"])}, ${random.pick(["'bm25(1e999)'", "'highlight(0,1,2)'", `'${MAKE_MARK.replaceAll("'", "''")}'`, '1', '2147483647', '-5'])})`,
    'DELETE FROM chunks_fts_data',
  ]);
}

function hostilePragma(random: Random): string {
  return random.pick([
    `PRAGMA user_version = ${random.pick([0, 1, 2, 5, 9, 1000, -1, 2147483647])}`,
    `PRAGMA application_id = ${random.below(2 ** 31)}`,
    'PRAGMA auto_vacuum = 2; VACUUM',
    'PRAGMA page_size = 65536; VACUUM',
    'PRAGMA page_size = 512; VACUUM',
    "ANALYZE; UPDATE sqlite_stat1 SET stat = '1e999 9 unordered sz=-1 noskipscan'",
    'PRAGMA legacy_file_format = ON; VACUUM',
  ]);
}

function manyTables(random: Random): string {
  const count = random.pick([200, 990, 1100]);
  return `BEGIN; ${Array.from({ length: count }, (_, i) => `CREATE TABLE t${i} (a, b)`).join(';')}; COMMIT`;
}
