import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { toBlob } from '../../src/adapters/sqlite/database/encodings.js';
import { weighedHeader } from '../../src/domain/ranking/vector.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { TINY_MODEL } from '../../test/support/tiny-model.js';
import { plantVectors, someVector } from '../speed/planted-vectors.js';
import { cpuMs, memoryMb } from './process-tree.js';

/** Where the chunks are stored, and what the store costs apart from the service. */
export interface MeasuredStore {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Gives every chunk and every file a random vector. */
  plant(): Promise<void>;
  diskMb(): Promise<number>;
  /** CPU time of processes that the service did not start. */
  cpuMs(): number;
  memoryMb(): { readonly now: number; readonly peak: number };
  remove(): Promise<void>;
}

export function sqliteStore(project: string): MeasuredStore {
  const folder = join(project, '.knowledge');
  return {
    name: 'SQLite',
    environment: {},
    async plant() {
      const file = join(folder, 'knowledge.db');
      plantVectors(file, TINY_MODEL);
      const db = openDatabase(file, { timeout: 15_000 });
      const ids = db.prepare<[], number>('SELECT id FROM store_names').pluck().all();
      const update = db.prepare('UPDATE store_names SET model = ?, vector = ? WHERE id = ?');
      db.transaction(() => {
        for (const id of ids) update.run(TINY_MODEL, toBlob(weighedHeader(someVector())), id);
      })();
      db.close();
    },
    diskMb: async () =>
      readdirSync(folder).reduce((mb, name) => mb + statSync(join(folder, name)).size / 2 ** 20, 0),
    cpuMs: () => 0,
    memoryMb: () => ({ now: 0, peak: 0 }),
    remove: async () => undefined,
  };
}

export async function postgresStore(): Promise<MeasuredStore> {
  const server = await PostgresServer.create(SERVER_BIN, 'kept', {
    shared_buffers: '1GB',
    max_wal_size: '4GB',
  });
  const run = async (sql: string) => {
    const { Client } = createRequire(import.meta.url)('pg');
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    name: 'PostgreSQL',
    environment: { KNOWLEDGE_STORE: server.url },
    async plant() {
      const [{ schema_name: schema }] = await run(
        'SELECT schema_name FROM knowledge_store.projects',
      );
      // A vector for each row of a table named `r`. A subquery that does not refer to the row would run only once.
      const vector = `(SELECT l2_normalize(array_agg(random() - .5)::vector)
        FROM generate_series(1, 384) WHERE r.key IS NOT NULL)`;
      const { content, headers } = {
        content: `(SELECT no AS key FROM ${schema}.chunks) r`,
        headers: `(SELECT source_file AS key FROM ${schema}.names) r`,
      };
      await run(`INSERT INTO ${schema}.content_vectors (chunk_no, model, vector)
        SELECT r.key, '${TINY_MODEL}', ${vector} FROM ${content} ON CONFLICT DO NOTHING`);
      await run(`UPDATE ${schema}.names n SET model = '${TINY_MODEL}', vector = made.vector
        FROM (SELECT r.key, ${vector} * array_fill(.3, ARRAY[384])::vector AS vector FROM ${headers}) made
        WHERE made.key = n.source_file`);
      await run(`UPDATE ${schema}.content_vectors v SET compared = v.vector + h.vector
        FROM ${schema}.chunks c JOIN ${schema}.names h USING (source_file) WHERE v.chunk_no = c.no`);
      await run('VACUUM ANALYZE');
    },
    diskMb: async () =>
      Number((await run('SELECT pg_database_size(current_database()) AS size'))[0].size) / 2 ** 20,
    cpuMs: () => cpuMs(server.pid),
    memoryMb: () => memoryMb(server.pid),
    remove: () => server.remove(),
  };
}
