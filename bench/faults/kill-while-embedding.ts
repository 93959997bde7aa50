import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

/**
 * Repeatedly kills the service with SIGKILL while it embeds, and checks the database each time: nothing
 * is half written, and the work continues where it stopped.
 *
 *   npm run faults:embedding -- <data directory with the model> [rounds] [seed]
 */
const [dataDir, rounds = '50', seed = String(Date.now() % 100_000)] = process.argv.slice(2);
if (dataDir === undefined) {
  process.stderr.write('usage: npm run faults:embedding -- <data directory> [rounds] [seed]\n');
  process.exit(2);
}
const SERVICE = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const project = await mkdtemp(join(tmpdir(), 'kill-'));
const database = join(project, '.knowledge/knowledge.db');
await writeFile(join(project, 'notes.md'), notes(2000));
process.stdout.write(`seed ${seed}\n`);
let last = 0;
let grew = 0;
for (let round = 1; round <= Number(rounds); round += 1) {
  await killedRound((Number(seed) * 7919 + round * 104_729) % 1500);
  const embedded = verify();
  if (embedded > last) grew += 1;
  if (embedded < last) throw new Error(`Round ${round}: ${last} vectors became ${embedded}.`);
  last = embedded;
}
process.stdout.write(
  `${rounds} rounds without damage; ${last} chunks embedded, progress in ${grew} rounds\n`,
);
await rm(project, { recursive: true, force: true });

/** Starts the service, makes it open the project, and kills it `delay` ms after it has resumed the work. */
async function killedRound(delay: number): Promise<void> {
  const service = spawn(process.execPath, [SERVICE], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, KNOWLEDGE_OFFLINE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => service.once('exit', resolve));
  const api = `${await urlOf(service)}/api/knowledge`;
  const route = last === 0 ? 'rebuild' : 'ingest/reflections';
  await fetch(`${api}/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectPath: project }),
  });
  while ((await embeddedBy(api)) <= last) await sleep(50);
  await sleep(delay);
  service.kill('SIGKILL');
  await exited;
}

async function embeddedBy(api: string): Promise<number> {
  const answer = await fetch(`${api}/x/status?projectPath=${encodeURIComponent(project)}`);
  const { embeddings } = (await answer.json()) as {
    readonly embeddings: { readonly complete: number };
  };
  return embeddings.complete;
}

function urlOf(service: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    service.stdout?.on('data', (data: Buffer) => {
      const url = /http:\/\/\S+/.exec(data.toString())?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}

/** The stored vectors; throws if any of them is incomplete or any other invariant is violated. */
function verify(): number {
  const db = new Database(database);
  const facts = {
    integrity: db.pragma('integrity_check', { simple: true }),
    foreignKeys: (db.pragma('foreign_key_check') as readonly unknown[]).length,
    chunks: db.prepare('SELECT count(*) FROM chunks').pluck().get(),
    halfVectors: db
      .prepare('SELECT count(*) FROM embeddings WHERE length(embedding) <> 1536')
      .pluck()
      .get(),
    strayVectors: db
      .prepare('SELECT count(*) FROM embeddings WHERE chunk_id NOT IN (SELECT id FROM chunks)')
      .pluck()
      .get(),
  };
  db.exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)");
  const vectors = db.prepare<[], Buffer>('SELECT embedding FROM embeddings').pluck().all();
  db.close();
  const expected = {
    integrity: 'ok',
    foreignKeys: 0,
    chunks: 2000,
    halfVectors: 0,
    strayVectors: 0,
  };
  if (JSON.stringify(facts) !== JSON.stringify(expected)) throw new Error(JSON.stringify(facts));
  const norms = vectors.map((blob) =>
    Math.hypot(...new Float32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + 1536))),
  );
  if (norms.some((norm) => Math.abs(norm - 1) > 1e-4))
    throw new Error('A vector is not of length 1.');
  return vectors.length;
}

/** Sections with different texts. */
function notes(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `## Note ${i}\n\n${`About item ${i} and ${i * 7}. `.repeat(12)}\n`,
  ).join('\n');
}
