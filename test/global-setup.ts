import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresServer } from './support/postgres-server.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What `dist` is built from. The time of a folder changes when a file in it is added or removed. */
const BUILT_FROM = [
  'src',
  'console',
  'scripts/bundle-command.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];

/** What `npm run build` writes last. */
const BUILT_LAST = join(ROOT, 'dist/console/index.html');

/**
 * Builds `dist`, which worker processes and `npm start` run from, with the console, unless nothing has changed since. Starts the
 * PostgreSQL server that the tests on a real one share, if KNOWLEDGE_TEST_POSTGRES_BIN is the folder of its programs and
 * KNOWLEDGE_TEST_POSTGRES does not name another.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (!isBuilt()) build();
  const home = mkdtempSync(join(tmpdir(), 'knowledge-home-'));
  // The processes that run the tests inherit it.
  process.env['KNOWLEDGE_TEST_HOME'] = home;
  const stop = await startPostgres();
  return async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  };
}

async function startPostgres(): Promise<() => Promise<void>> {
  const { KNOWLEDGE_TEST_POSTGRES_BIN: bin = '', KNOWLEDGE_TEST_POSTGRES: url = '' } = process.env;
  if (bin === '' || url !== '') return async () => undefined;
  const server = await PostgresServer.create(bin, 'lost');
  process.env['KNOWLEDGE_TEST_POSTGRES'] = server.url;
  return () => server.remove();
}

function isBuilt(): boolean {
  const built = statSync(BUILT_LAST, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return BUILT_FROM.every((path) => lastChange(join(ROOT, path)) < built);
}

function lastChange(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const within = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(entry.mtimeMs, ...within.map((name) => statSync(join(path, name)).mtimeMs));
}

function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
}
