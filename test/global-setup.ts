import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PostgresServer } from './support/postgres-server.js';

/**
 * Builds `dist`, which worker processes and `npm start` run from, with the console. Starts the PostgreSQL server that the tests on a real
 * one share, if KNOWLEDGE_TEST_POSTGRES_BIN is the folder of its programs and KNOWLEDGE_TEST_POSTGRES does not name another.
 */
export async function setup(): Promise<() => Promise<void>> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd, stdio: 'inherit' });
  const { KNOWLEDGE_TEST_POSTGRES_BIN: bin = '', KNOWLEDGE_TEST_POSTGRES: url = '' } = process.env;
  if (bin === '' || url !== '') return async () => undefined;
  const server = await PostgresServer.create(bin, 'lost');
  // The processes that run the tests inherit it.
  process.env['KNOWLEDGE_TEST_POSTGRES'] = server.url;
  return () => server.remove();
}
