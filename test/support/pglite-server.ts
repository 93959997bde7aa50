import { type AddressInfo, createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/**
 * PostgreSQL inside this process, behind a socket: real SQL, pgvector and pg_textsearch without a service.
 * It takes seconds to start, so one is enough for a run. It has a single session, so a client must have
 * only one connection at a time, and it cannot show what two sessions do to each other.
 */
export async function startPglite(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const db = await PGlite.create({ extensions: { vector, pg_textsearch } });
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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
