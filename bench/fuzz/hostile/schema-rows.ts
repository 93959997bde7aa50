import { SPECIFIED_SCHEMA } from '../../../test/support/database-inspection.js';
import type { Random } from '../../faults/random.js';
import { MAKE_MARK } from './site.js';

const ENDLESS =
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
const BOMB = 'length(hex(zeroblob(200000000)))';

const EFFECTS = [
  `INSERT OR REPLACE INTO store_state VALUES ('mark', ${MAKE_MARK})`,
  `UPDATE chunks SET tags = ${MAKE_MARK}, importance = .123`,
  `INSERT INTO canary VALUES (${MAKE_MARK})`,
  'DELETE FROM store_owned',
  `SELECT ${ENDLESS.replace(/^/, '(')})`,
  `SELECT ${BOMB}`,
];

/** A trigger of what the service writes; often one of its values is spelled in another way. */
export function triggerThatRuns(random: Random): string {
  const table = random.pick(['chunks', 'chunks', 'chunks', 'store_sources', 'store_state']);
  const event = random.pick(['INSERT', 'INSERT', 'UPDATE', 'DELETE']);
  const sql = `CREATE TRIGGER evil ${random.pick(['BEFORE', 'AFTER'])} ${event} ON ${table} BEGIN ${random.pick(EFFECTS.slice(0, 3))}; END`;
  const texts = ['trigger', 'evil', table, sql];
  const odd = random.below(2 * texts.length);
  const [type, name, on, text] = texts.map((value, place) =>
    place === odd ? spelled(random, value) : `'${value.replaceAll("'", "''")}'`,
  );
  return `${CANARY_TABLE}INSERT INTO sqlite_master VALUES (${type}, ${name}, ${on}, 0, ${text})`;
}

/** An object in a schema that SQLite would run or believe, with its type, names and text spelled in any way. */
export function hostileRow(random: Random): string {
  const kind = random.pick(['trigger', 'trigger', 'view', 'index', 'table']);
  const name = random.pick(NAMES);
  const table = random.pick(TABLES);
  const values = [
    spelled(random, kind),
    spelled(random, name),
    spelled(random, table),
    random.pick(['0', '0', '1', '2', '-1', '99999', "'x'", '2147483648']),
    spelled(random, random.pick(BODIES[kind] ?? [])(name, table, random)),
  ];
  const row = `(${values.join(', ')})`;
  if (random.below(3) > 0) return `${CANARY_TABLE}INSERT INTO sqlite_master VALUES ${row}`;
  return `${CANARY_TABLE}UPDATE sqlite_master SET (type, name, tbl_name, rootpage, sql) = ${row} WHERE name = '${random.pick(NAMES)}'`;
}

const CANARY_TABLE = 'CREATE TABLE IF NOT EXISTS canary (a); ';

const NAMES = [
  'evil',
  'chunks',
  'chunks_ai',
  'chunks_ad',
  'chunks_au',
  'chunks_type_ai',
  'embeddings_ai',
  'chunks_fts',
  'store_owned',
  'store_state',
  'store_types',
  'store_cjk',
  'chunks_by_source_file',
  'sqlite_stat1',
  'sqlite_sequence',
  'sqlite_x',
  '__proto__',
];
const TABLES = [
  'chunks',
  'chunks',
  'embeddings',
  'store_sources',
  'store_state',
  'store_owned',
  'store_types',
  'store_leases',
  'chunks_fts',
  'chunks_fts_data',
  'canary',
];

type Body = (name: string, table: string, random: Random) => string;

const BODIES: Readonly<Record<string, readonly Body[]>> = {
  trigger: [
    (name, table, random) =>
      `CREATE TRIGGER ${name} ${random.pick(['BEFORE', 'AFTER', 'INSTEAD OF'])} ${random.pick(['INSERT', 'UPDATE', 'DELETE', 'UPDATE OF retrieval_count'])} ON ${table} BEGIN ${random.pick(EFFECTS)}; END`,
  ],
  view: [
    (name) => `CREATE VIEW ${name} AS ${ENDLESS}`,
    (name) => `CREATE VIEW ${name} (id, content) AS SELECT ${BOMB}, 1`,
    (name) => `CREATE VIEW ${name} AS SELECT * FROM ${name}`,
  ],
  index: [
    (name, table) => `CREATE INDEX ${name} ON ${table}(${BOMB})`,
    (name, table) => `CREATE INDEX ${name} ON ${table}(rowid) WHERE ${BOMB} > 1`,
    (name, table) => `CREATE UNIQUE INDEX ${name} ON ${table}(source_file)`,
  ],
  table: [
    (name) => `CREATE TABLE ${name} (a, b AS (${BOMB}))`,
    (name) => `CREATE TABLE ${name} (a DEFAULT (${MAKE_MARK}), CHECK (${BOMB} > 1))`,
    (name) => `CREATE VIRTUAL TABLE ${name} USING rtree(a, b, c)`,
    (name) => `CREATE VIRTUAL TABLE ${name} USING fts5(a, content='sqlite_master')`,
    () => 'CREATE TABLE x',
    () => '',
  ],
};

/** Text as SQLite writes it, and in the ways in which it reads it all the same. */
function spelled(random: Random, text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return random.pick([
    quoted,
    quoted,
    quoted,
    quoted,
    quoted.toUpperCase(),
    quoted.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    `CAST(${quoted} AS BLOB)`,
    `${quoted} || char(0)`,
    `${quoted} || char(0) || 'x'`,
    `' /**/' || ${quoted}`,
    `${quoted} || x'ff'`,
    'NULL',
    '7',
  ]);
}

const changed = (from: string, to: string) =>
  `DROP TABLE IF EXISTS chunks_fts; DROP TABLE IF EXISTS embeddings; DROP TABLE IF EXISTS chunks; ${SPECIFIED_SCHEMA.replace(from, to)}`;

/** An index or a column whose text is exchanged after SQLite has accepted it, so that nothing runs while it is planted. */
const exchanged = (make: string, name: string, sql: string) =>
  `${make}; UPDATE sqlite_master SET sql = '${sql.replaceAll("'", "''")}' WHERE name = '${name}'`;

const FOREIGN = "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), ('x')";

/** Whole statements, as another program may have executed them. */
export const HOSTILE_TABLES: readonly string[] = [
  exchanged(`${FOREIGN}; CREATE INDEX i ON t(a)`, 'i', `CREATE INDEX i ON t(${BOMB})`),
  exchanged(`${FOREIGN}; CREATE INDEX i ON t(a)`, 'i', `CREATE INDEX i ON t(a) WHERE ${BOMB} > 1`),
  exchanged(FOREIGN, 't', `CREATE TABLE t (a, b AS (${BOMB}))`),
  exchanged(FOREIGN, 't', `CREATE TABLE t (a CHECK (${BOMB} > 1))`),
  exchanged(FOREIGN, 't', `CREATE TABLE t (a COLLATE nobody)`),
  exchanged('CREATE INDEX i ON chunks(heading)', 'i', `CREATE INDEX i ON chunks(${BOMB})`),
  exchanged(
    'CREATE INDEX i ON chunks(heading)',
    'i',
    'CREATE INDEX i ON chunks(heading COLLATE nobody)',
  ),
  exchanged(
    'CREATE TABLE u (a UNIQUE)',
    'u',
    'CREATE TABLE u (a UNIQUE, b PRIMARY KEY) WITHOUT ROWID',
  ),
  "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'chunks') WHERE name = 'embeddings'",
  "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'chunks'",
  "UPDATE sqlite_master SET rootpage = 1 + abs(random()) % 30 WHERE type = 'index'",
  changed('hype_embeddings BLOB', `hype_embeddings BLOB, mine AS (${BOMB})`),
  changed('hype_embeddings BLOB', `hype_embeddings BLOB, mine DEFAULT (${MAKE_MARK})`),
  changed('hype_embeddings BLOB', `hype_embeddings BLOB, mine NOT NULL DEFAULT (${BOMB})`),
  changed('content TEXT NOT NULL', `content TEXT NOT NULL CHECK (${BOMB} > 1)`),
  changed('content TEXT NOT NULL', 'content TEXT NOT NULL ON CONFLICT IGNORE'),
  changed('id TEXT PRIMARY KEY', 'id BLOB PRIMARY KEY DESC'),
  changed('ON DELETE CASCADE', 'ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED'),
  changed("content='chunks'", "content='sqlite_master'"),
  changed("content='chunks'", "content='t'"),
  changed("content_rowid='rowid'", `content_rowid='${MAKE_MARK.replaceAll("'", "''")}'`),
  changed(
    "content='chunks'",
    "content='chunks', tokenize='trigram', prefix='1 2 3 4 5 6 7 8', columnsize=0",
  ),
  'CREATE VIRTUAL TABLE v USING rtree(a, b, c)',
  "CREATE VIRTUAL TABLE v USING fts5vocab('chunks_fts', 'instance')",
  "CREATE VIRTUAL TABLE v USING fts5(a, content='chunks'); INSERT INTO v(v) VALUES ('rebuild')",
  'CREATE VIRTUAL TABLE v USING fts4(a); CREATE TABLE c (x REFERENCES chunks(id) ON DELETE CASCADE)',
  'CREATE TABLE c (x REFERENCES chunks(source_file) ON UPDATE CASCADE)',
  `CREATE TEMP TRIGGER tt AFTER INSERT ON chunks BEGIN SELECT 1; END; CREATE VIEW w AS ${ENDLESS}`,
  'DROP TABLE chunks',
  'DROP TABLE embeddings; CREATE TABLE embeddings (chunk_id)',
];
