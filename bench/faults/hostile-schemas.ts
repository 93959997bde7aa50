import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  execute,
  insertChunk,
  SPECIFIED_SCHEMA,
  scalarOf,
  sha256,
} from '../../test/support/database-inspection.js';
import { type Client, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import type { FaultFamily } from './family.js';

/** Statements after the specified schema, and the code that refuses them. */
const SCHEMAS: readonly (readonly [string, string, string])[] = [
  ['a newer version', 'PRAGMA user_version = 9999', 'schema_too_new'],
  [
    'a trigger',
    'CREATE TRIGGER evil AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END',
    'store_unavailable',
  ],
  ['a view', 'CREATE VIEW evil AS SELECT 1', 'store_unavailable'],
  ['an index of an expression', 'CREATE INDEX evil ON chunks(lower(id))', 'store_unavailable'],
  ['a partial index', 'CREATE INDEX evil ON chunks(id) WHERE id > 1', 'store_unavailable'],
  ['a unique index', 'CREATE UNIQUE INDEX evil ON chunks(source_file)', 'store_unavailable'],
  ['a generated column', 'CREATE TABLE evil (a, b AS (a + 1))', 'store_unavailable'],
  ['a foreign key', 'CREATE TABLE evil (a REFERENCES chunks(id))', 'store_unavailable'],
  ['a trigger named toString', trigger('toString'), 'store_unavailable'],
  ['a trigger named __proto__', trigger('__proto__'), 'store_unavailable'],
  ['a temporary-looking view', 'CREATE VIEW "chunks " AS SELECT 1', 'store_unavailable'],
];

/** F20: databases that a repository may bring along. They are refused, and not a byte of them changes. */
export const hostileSchemas: FaultFamily = {
  name: 'F20',
  title: 'hostile and newer schemas',
  defaultRounds: SCHEMAS.length,
  async run({ rounds }) {
    const client = await startClient('hybrid');
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [name, sql, code] = SCHEMAS[round % SCHEMAS.length] ?? ['', '', ''];
      wrong.push(...(await refusal(client, { name, sql, code })));
    }
    await client.service.stop();
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes: [] };
  },
  /** Without a check the planted trigger runs with the first insert. */
  async negativeControl() {
    const project = projectWith(`CREATE TABLE seen (id);
      CREATE TRIGGER evil AFTER INSERT ON chunks BEGIN INSERT INTO seen VALUES (new.id); END`);
    insertChunk(project.database, { id: 'mine', content: 'read by a trigger' });
    const seen = scalarOf(project.database, 'SELECT id FROM seen');
    project.remove();
    return seen === 'mine' ? ['the planted trigger ran'] : [];
  },
};

interface Expected {
  readonly name: string;
  readonly sql: string;
  readonly code: string;
}

async function refusal(client: Client, { name, sql, code }: Expected): Promise<readonly string[]> {
  const project = projectWith(sql);
  const before = sha256(project.database);
  const answers = [
    await client.search(project, 'apple'),
    await client.rebuild(project),
    await client.stats(project),
  ];
  const accepted = answers.filter(({ body }) => body?.code !== code);
  const changed = sha256(project.database) === before ? [] : [`${name}: the file has changed`];
  project.remove();
  return [...accepted.map(({ status, text }) => `${name}: HTTP ${status}: ${text}`), ...changed];
}

function trigger(name: string): string {
  return `CREATE TRIGGER "${name}" AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END`;
}

function projectWith(sql: string): TempProject {
  const project = new TempProject();
  mkdirSync(dirname(project.database));
  execute(project.database, `${SPECIFIED_SCHEMA};${sql}`);
  return project;
}
