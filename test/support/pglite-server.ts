import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { freePort } from './postgres-server.js';

/**
 * PostgreSQL inside this process, behind a socket: real SQL and pgvector without a service.
 * It starts from a data directory that another package has, which saves half of the seconds that it takes, and
 * one is enough for a run. It has a single session, so a client must have only one connection at a time, and it
 * cannot show what two sessions do to each other.
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
