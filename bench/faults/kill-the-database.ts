/**
 * Stops a PostgreSQL server immediately, as a crash does, while two processes write and search, and compares what was
 * acknowledged with what is there afterwards: `tsx bench/faults/kill-the-database.ts <bin folder> [stops]`.
 * It makes its own database in a temporary folder, and must not run as root: PostgreSQL refuses it.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { anyInformativeWord } from '../../src/domain/query/query.js';
import type { ProjectStore } from '../../src/ports/driven/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';

const [bin = '', stops = '20'] = process.argv.slice(2);
const SOURCES = 40;
const CHUNKS = 3;
const root = mkdtempSync(join(tmpdir(), 'kill-the-database-'));
const data = join(root, 'data');
const port = 20_000 + Math.floor(Math.random() * 20_000);
const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
const key = randomUUID();
/** The last version of each source that was acknowledged, and the last that was tried. */
const acknowledged = new Map<string, number>();
const tried = new Map<string, number>();
let [writes, failures, searches, holders, stop] = [0, 0, 0, 0, false];

command('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8');
appendFileSync(
  join(data, 'postgresql.conf'),
  `listen_addresses='127.0.0.1'\nport=${port}\nunix_socket_directories='${root}'\nshared_preload_libraries='pg_textsearch'\n`,
);
start();
try {
  const instances = [newStores(), newStores()];
  const stores = await Promise.all(instances.map((instance) => instance.open(root)));
  const work = stores.flatMap((store, i) => [write(store, i), write(store, i + 2), search(store)]);
  for (let i = 0; i < Number(stops); i += 1) {
    await sleep(1500 + Math.random() * 1000);
    command('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    start();
  }
  stop = true;
  await Promise.all(work);
  await Promise.all(instances.map((instance) => instance.close()));
  const { lost, half } = await verify();
  const races = await leaseRaces();
  console.log({ stops, writes, failures, searches, lost, half, leaseRaces: races, holders });
  process.exitCode = lost + half + races.several === 0 ? 0 : 1;
} finally {
  command('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
  rmSync(root, { recursive: true });
}

/** One writer per source, so that the version that was acknowledged last is the one that must be there. */
async function write(store: ProjectStore, writer: number): Promise<void> {
  for (let version = 1; !stop; version += 1) {
    const sourceFile = `docs/${writer}-${version % SOURCES}.md`;
    const content = (place: number) => `copper walnut version ${version} place ${place}`;
    const chunks = Array.from({ length: CHUNKS }, (_, place) => ({
      content: content(place),
      importance: 0.5,
    }));
    tried.set(sourceFile, version);
    try {
      await store.chunks.replaceSource(sourceFile, async () => ({
        sourceType: 'file',
        sourceFile,
        contentHash: `${version}`,
        chunks,
      }));
      acknowledged.set(sourceFile, version);
      writes += 1;
    } catch {
      failures += 1;
      await sleep(50);
    }
  }
}

async function search(store: ProjectStore): Promise<void> {
  const expression = anyInformativeWord(['copper', 'basalt']);
  while (!stop && expression !== undefined) {
    const hits = store.keywords.search(expression, { sourceTypes: 'all' }, 10);
    searches += await hits.then(
      () => 1,
      () => 0,
    );
    await sleep(20);
  }
}

/** A source must have the version that was acknowledged, or a later one that was being written; and all of its chunks. */
async function verify(): Promise<{ readonly lost: number; readonly half: number }> {
  const stores = newStores();
  const store = await stores.open(root);
  let [lost, half] = [0, 0];
  for (const [sourceFile, version] of acknowledged) {
    const ids = Array.from({ length: CHUNKS }, (_, place) => `${sourceFile}#${place}`);
    const chunks = await store.chunks.getChunks(ids);
    const versions = new Set(
      chunks.map(({ content }) => Number(/version (\d+)/.exec(content)?.[1])),
    );
    const [stored = 0] = versions;
    if (chunks.length !== CHUNKS || versions.size !== 1) half += 1;
    if (stored !== version && stored !== tried.get(sourceFile)) lost += 1;
  }
  await stores.close();
  return { lost, half };
}

/** Several processes ask for the same free lease at once; one must get it. */
async function leaseRaces(): Promise<{ readonly races: number; readonly several: number }> {
  const instances = Array.from({ length: 4 }, newStores);
  const stores = await Promise.all(instances.map((instance) => instance.open(root)));
  let several = 0;
  for (let race = 0; race < 200; race += 1) {
    const got = await Promise.all(
      stores.map(({ leases }) => leases.acquire(`race ${race}`, 60_000)),
    );
    holders += got.filter(Boolean).length;
    if (got.filter(Boolean).length !== 1) several += 1;
  }
  await Promise.all(instances.map((instance) => instance.close()));
  return { races: 200, several };
}

function newStores(): PostgresProjectStores {
  return new PostgresProjectStores({
    url,
    keys: { find: async () => key, open: async () => key },
    model: 'none',
    dimensions: 384,
    clock: systemClock,
    logger: new SilentLogger(),
  });
}

function start(): void {
  command('pg_ctl', '-D', data, '-l', join(root, 'log'), '-w', 'start');
}

function command(name: string, ...args: readonly string[]): void {
  execFileSync(join(bin, name), args, { stdio: 'ignore' });
}
