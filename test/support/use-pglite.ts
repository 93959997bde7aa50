import { afterAll, beforeAll } from 'vitest';
import { startPglite } from './pglite-server.js';

/**
 * Starts PGlite for the tests of a file, and returns a function for its URL, which allows one connection per process.
 */
export function usePglite(): () => string {
  let server: Awaited<ReturnType<typeof startPglite>> | undefined;
  beforeAll(async () => {
    server = await startPglite();
  }, 120_000);
  afterAll(() => server?.stop());
  return () => `${server?.url}?connection_limit=1`;
}
