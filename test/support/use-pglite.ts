import { afterAll, beforeAll } from 'vitest';
import { startPglite } from './pglite-server.js';

/** Starts one for the tests of a file, and returns its URL while they run; for one connection of each process. */
export function usePglite(): () => string {
  let server: Awaited<ReturnType<typeof startPglite>> | undefined;
  beforeAll(async () => {
    server = await startPglite();
  }, 120_000);
  afterAll(() => server?.stop());
  return () => `${server?.url}?connection_limit=1`;
}
