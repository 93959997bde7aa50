import { mkdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import {
  insertChunk,
  SPECIFIED_SCHEMA,
  scalarOf,
  sha256,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

/** A file that came with a repository: what SQLite would run for it is refused before it runs. */

const BOMB = 'hex(zeroblob(100000000))';
const WHOLE_CHUNKS = /CREATE TABLE chunks \([\s\S]*?\);/.exec(SPECIFIED_SCHEMA)?.[0] ?? '';
const WHOLE_EMBEDDINGS = /CREATE TABLE embeddings \([\s\S]*?\);/.exec(SPECIFIED_SCHEMA)?.[0] ?? '';

const projects = testProjects();

const stores = sqliteStores();
afterAll(() => stores.close());

/** A project whose database was made by these statements. */
function projectWith(sql: string): TempProject {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  const db = new Database(project.database);
  db.pragma('synchronous = OFF');
  db.exec(`BEGIN; ${sql}; COMMIT`);
  db.close();
  return project;
}

/** The specified schema with something else in the definition of a table. */
function changed(from: string, to: string): string {
  expect(SPECIFIED_SCHEMA).toContain(from);
  return SPECIFIED_SCHEMA.replace(from, to);
}

function withColumn(definition: string): string {
  return changed('hype_embeddings BLOB', `hype_embeddings BLOB, ${definition}`);
}

function plus(sql: string): string {
  return `${SPECIFIED_SCHEMA};${sql}`;
}

/** What every object of JavaScript has by itself. */
const INHERITED = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'];

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['an index of an expression', plus(`CREATE INDEX evil ON chunks(${BOMB})`), 'evil'],
  [
    'a partial index',
    plus('CREATE INDEX evil ON chunks(heading) WHERE likely(heading > 1)'),
    'evil',
  ],
  [
    'an index of an expression with a name of ours',
    plus(`CREATE INDEX chunks_by_source_file ON chunks(${BOMB})`),
    'chunks_by_source_file',
  ],
  ['a foreign UNIQUE index', plus('CREATE UNIQUE INDEX evil ON chunks(source_file)'), 'evil'],
  ['a UNIQUE constraint', withColumn('mine TEXT UNIQUE'), 'UNIQUE'],
  ['an index on a shadow table', plus('CREATE INDEX evil ON chunks_fts_docsize(sz)'), 'evil'],
  [
    'a CHECK constraint',
    changed('content TEXT NOT NULL', `content TEXT NOT NULL CHECK (${BOMB} <> '')`),
    'CHECK',
  ],
  [
    'a CHECK behind a comment',
    changed('content TEXT NOT NULL', 'content TEXT NOT NULL check/**/(length(content) < 3)'),
    'CHECK',
  ],
  ['a default that is a function', withColumn(`mine TEXT DEFAULT (${BOMB})`), 'mine'],
  [
    'a default of a column of ours that is a function',
    changed('heading TEXT', `heading TEXT DEFAULT (${BOMB})`),
    'heading',
  ],
  ['a default that is an operator', withColumn(`mine TEXT DEFAULT ('a' REGEXP 'b')`), 'mine'],
  ['a long default', withColumn(`mine TEXT DEFAULT '${'x'.repeat(300)}'`), 'mine'],
  ['a schema of megabytes', withColumn(`mine TEXT DEFAULT '${'x'.repeat(2_000_000)}'`), 'larger'],
  ['a generated column', withColumn(`mine AS (${BOMB})`), 'mine'],
  ['a stored generated column', withColumn('mine TEXT AS (heading) STORED'), 'mine'],
  [
    'a generated column of a foreign table',
    plus(`CREATE TABLE t (a, b NOT NULL AS (${BOMB}))`),
    '"t\\"',
  ],
  ['another collation', changed('source_file TEXT', 'source_file TEXT COLLATE NOCASE'), 'COLLATE'],
  [
    'ON CONFLICT IGNORE',
    changed('content TEXT NOT NULL', 'content TEXT NOT NULL ON CONFLICT IGNORE'),
    'ON CONFLICT',
  ],
  [
    'ON CONFLICT REPLACE of a key',
    changed('chunk_id TEXT PRIMARY KEY', 'chunk_id TEXT PRIMARY KEY ON CONFLICT REPLACE'),
    'ON CONFLICT',
  ],
  ['a key of another type', changed('id TEXT PRIMARY KEY', 'id INTEGER PRIMARY KEY'), '"id\\"'],
  ['content of no type', changed('content TEXT NOT NULL', 'content NOT NULL'), '"content\\"'],
  ['an importance that is text', changed('importance REAL', 'importance TEXT'), '"importance\\"'],
  [
    'a key of two columns',
    changed('hype_embeddings BLOB', 'hype_embeddings BLOB, PRIMARY KEY (id, heading)').replace(
      'id TEXT PRIMARY KEY',
      'id TEXT',
    ),
    'primary key',
  ],
  [
    'no rowids',
    SPECIFIED_SCHEMA.replace(
      WHOLE_EMBEDDINGS,
      WHOLE_EMBEDDINGS.replace(/\);$/, ') WITHOUT/**/ROWID;'),
    ),
    'rowids',
  ],
  ['a table with our name in capitals', 'CREATE TABLE CHUNKS (id TEXT PRIMARY KEY)', 'CHUNKS'],
  [
    'a table with the name of an index of ours',
    plus('CREATE TABLE chunks_by_updated_at (a)'),
    'chunks_by_updated_at',
  ],
  [
    'an index with the name of a table of ours',
    plus('CREATE TABLE t (a); CREATE INDEX store_state ON t(a)'),
    'store_state',
  ],
  [
    'a virtual table in place of one of ours',
    'CREATE VIRTUAL TABLE chunks USING fts5(id)',
    'chunks',
  ],
  [
    'a virtual table of another module',
    plus('CREATE VIRTUAL TABLE evil USING rtree(a, b, c)'),
    'evil',
  ],
  [
    'an ordinary table in place of the full-text index',
    `${WHOLE_CHUNKS} CREATE TABLE chunks_fts (heading, content)`,
    'chunks_fts',
  ],
  [
    'a shadow table that is another',
    `${WHOLE_CHUNKS} CREATE TABLE chunks_fts_data (id INTEGER PRIMARY KEY, block BLOB DEFAULT (${BOMB}))`,
    'chunks_fts_data',
  ],
  [
    'a foreign key of a foreign table',
    plus('CREATE TABLE t (a REFERENCES chunks(id) ON DELETE RESTRICT)'),
    '"t\\"',
  ],
  [
    'a foreign key of the chunks',
    changed('heading TEXT', 'heading TEXT REFERENCES chunks(id)'),
    'foreign key',
  ],
  [
    'a foreign key that sets a default',
    changed('ON DELETE CASCADE', 'ON DELETE SET DEFAULT'),
    'foreign key',
  ],
  [
    'a foreign key to another column',
    changed('REFERENCES chunks(id)', 'REFERENCES chunks(heading)'),
    'foreign key',
  ],
  [
    'an index of an expression on a foreign table',
    plus(`CREATE TABLE t (a); CREATE INDEX evil ON t(length(${BOMB}))`),
    'evil',
  ],
  [
    'a partial index on a foreign table',
    plus('CREATE TABLE t (a); CREATE INDEX evil ON t(a) WHERE likely(a > 1)'),
    'evil',
  ],
  [
    'over a thousand tables',
    plus(Array.from({ length: 1001 }, (_, i) => `CREATE TABLE t${i} (a)`).join(';')),
    '1000',
  ],
  [
    'a chunk without an id',
    plus(
      "INSERT INTO chunks (source_type, source_file, project_path, chunk_index, content, created_at, updated_at) VALUES ('manual', 'f', '/p', 0, 'text', '2026', '2026')",
    ),
    'without an id',
  ],
  ...INHERITED.map(
    (name) =>
      [
        `a trigger named ${name}`,
        plus(`CREATE TRIGGER "${name}" BEFORE INSERT ON chunks BEGIN DELETE FROM chunks; END`),
        name,
      ] as const,
  ),
];

const TRIGGER = `CREATE TRIGGER evil AFTER UPDATE ON chunks BEGIN DELETE FROM chunks; END`;
const VIEW = 'CREATE VIEW evil AS SELECT 1';
const RTREE = 'CREATE VIRTUAL TABLE evil USING rtree(id, low, high)';
const GENERATED = `CREATE TABLE evil (a, b AS (${BOMB}))`;

/** Each of these objects, with one column of its row in `sqlite_master` written in another way that SQLite accepts. */
const DISGUISED: readonly (readonly [string, string, string])[] = [
  TRIGGER,
  VIEW,
  RTREE,
  GENERATED,
].flatMap((statement) =>
  [
    'type = upper(type)',
    'type = CAST(type AS BLOB)',
    'type = type || char(0)',
    "type = type || char(0) || 'x'",
    'name = CAST(name AS BLOB)',
    'name = name || char(0)',
    'tbl_name = CAST(tbl_name AS BLOB)',
    'tbl_name = tbl_name || char(0)',
    'sql = CAST(sql AS BLOB)',
    "sql = sql || char(0) || '; CREATE TABLE evil (a)'",
  ].map((change) => [statement, change, `${change} of ${statement.slice(0, 30)}`] as const),
);

describe('an object that is not written as SQLite writes it is refused, and nothing of it runs', () => {
  test.each(DISGUISED)('%s with %s', async (statement, change) => {
    const project = projectWith(plus(statement));
    const db = new Database(project.database);
    db.unsafeMode().pragma('writable_schema = ON');
    db.exec(`UPDATE sqlite_master SET ${change} WHERE name = 'evil'`);
    db.close();
    const before = sha256(project.database);
    await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(sha256(project.database)).toBe(before);
  });

  test('a name that is no text', async () => {
    const project = projectWith(plus(GENERATED));
    const db = new Database(project.database);
    db.unsafeMode().pragma('writable_schema = ON');
    db.exec(
      "UPDATE sqlite_master SET name = CAST(x'65ff' AS TEXT), tbl_name = CAST(x'65ff' AS TEXT), sql = CAST(replace(CAST(sql AS BLOB), 'evil', x'65ff') AS TEXT) WHERE name = 'evil'",
    );
    db.close();
    await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('a database is refused at once, and not changed, if it has', () => {
  test.each(REFUSED)('%s', { timeout: 10_000 }, async (_, sql, named) => {
    const project = projectWith(sql);
    const before = sha256(project.database);
    await expect(stores.open(project.path)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(named.replaceAll('\\', '')),
    });
    expect(sha256(project.database)).toBe(before);
  });
});

const OPENED: readonly (readonly [string, string])[] = [
  ['a plain index', plus('CREATE INDEX mine ON chunks(heading, importance DESC)')],
  [
    'an index with a name of ours on other columns',
    plus('CREATE INDEX chunks_by_updated_at ON chunks(heading)'),
  ],
  ['a column with a signed number', withColumn('mine REAL NOT NULL DEFAULT -1.5e3')],
  ['a column with a default', withColumn("mine TEXT NOT NULL DEFAULT 'it''s mine'")],
  [
    'the current time as default',
    changed(
      'created_at TEXT NOT NULL,\n    updated_at',
      "created_at TEXT NOT NULL DEFAULT (datetime('now')),\n    updated_at",
    ),
  ],
  [
    'a column with a quoted name that is a keyword',
    withColumn('"check" TEXT, [on conflict ignore] TEXT'),
  ],
  [
    'other names of the types',
    changed('importance REAL', 'importance DOUBLE').replace(
      'id TEXT PRIMARY',
      'id VARCHAR(255) PRIMARY',
    ),
  ],
  [
    'no foreign key',
    changed(',\n    FOREIGN KEY (chunk_id) REFERENCES chunks(id) ON DELETE CASCADE', ''),
  ],
  [
    'a strict table',
    SPECIFIED_SCHEMA.replace(WHOLE_CHUNKS, WHOLE_CHUNKS.replace(/\);$/, ') STRICT;')),
  ],
  [
    'a table of its own with constraints and expressions',
    plus(`CREATE TABLE t (a CHECK (a <> ''), b DEFAULT (${BOMB})); CREATE UNIQUE INDEX i ON t(a)`),
  ],
  ['a full-text index of its own', plus('CREATE VIRTUAL TABLE theirs USING fts5(a)')],
  [
    'a full-text index that stores its text',
    `${WHOLE_CHUNKS} CREATE VIRTUAL TABLE chunks_fts USING fts5(heading, content)`,
  ],
  ...INHERITED.flatMap(
    (name) =>
      [
        [
          `a table named ${name}`,
          plus(`CREATE TABLE "${name}" (a); CREATE INDEX "i" ON "${name}"(a)`),
        ],
        [`a column named ${name}`, withColumn(`"${name}" INTEGER`)],
      ] as const,
  ),
];

describe('a database opens and takes chunks if it has', () => {
  test.each(OPENED)('%s', async (_, sql) => {
    const project = projectWith(sql);
    const store = await stores.open(project.path);
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    expect((await store.chunks.stats()).totalChunks).toBe(1);
    expect(await store.texts.content.all()).toHaveLength(1);
  });
});

test.each(['chunks_ai', 'chunks_ad', 'chunks_au'])(
  'a trigger named %s that does something else is replaced by ours',
  async (name) => {
    const project = projectWith(
      plus(`DROP TRIGGER ${name};
        CREATE TRIGGER ${name} AFTER INSERT ON embeddings BEGIN DELETE FROM chunks; END`),
    );
    await stores.open(project.path);
    const sql = scalarOf(project.database, `SELECT sql FROM sqlite_master WHERE name = '${name}'`);
    expect(sql).not.toContain('DELETE FROM chunks');
    expect(sql).toContain('ON chunks');
  },
);
