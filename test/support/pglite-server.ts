import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { freePort } from './postgres-server.js';

/**
 * Starts PostgreSQL inside this process, behind a socket: real SQL and pgvector, without a service.
 *
 * It loads a prepared data directory from another package, which halves its start time; one server is enough for a run
 * of the tests. It has a single session, so a client may only have one connection at a time, and it cannot show how two
 * sessions affect each other.
 */
export async function startPglite(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const db = await PGlite.create({
    extensions: { vector },
    loadDataDir: await dataDir(),
  });
  const port = await freePort();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port, maxConnections: 40 });
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}
