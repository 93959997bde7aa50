import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scalarOf } from '../support/database-inspection.js';
import { directoryOfRealModel, eventually, runCommand } from '../support/running-service.js';
import { okBody, startClient } from '../support/running-service-calls.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

const shared = directoryOfRealModel();
const isTested = shared !== undefined && process.platform === 'linux';
if (!isTested)
  console.warn('Without ../shared/models, on Linux, vectors are not made in processes.');

const CHUNKS = 40;

let project: TempProject;
let dataDir: string;

beforeEach(() => {
  project = new TempProject({ 'docs/many.md': document('page', CHUNKS) });
  dataDir = tempDirectory();
  if (shared !== undefined) symlinkSync(join(shared, 'models'), join(dataDir, 'models'));
});
afterEach(() => {
  for (const pid of vectorProcesses()) process.kill(pid, 'SIGKILL');
  project.remove();
  rmSync(dataDir, { recursive: true });
});

describe.skipIf(!isTested)('vectors that nobody waits for', () => {
  test('are made by a process of its own, with those that are added meanwhile, and it ends', async () => {
    const { code, err } = await run('ingest');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /recommended settings.*\n40 chunks can be found by words; vectors follow in the background.*\n$/,
      ),
    });
    const found = await run('search', 'page 7', '--no-model', '--json');
    expect(JSON.parse(found.out).results.length).toBeGreaterThan(0);
    await eventually(async () =>
      (await run('status', '--json')).out.includes('"embedding":"running"'),
    );
    project.write('docs/more.md', document('sheet', 10));
    await run('ingest');
    await allMade(CHUNKS + 10);
    expect(embeddedInAll()).toBe(CHUNKS + 10);
    expect((await run('status', '--json')).out).not.toContain('"embedding"');
  }, 120_000);

  test('are made once, however many ask for them at once', async () => {
    await run('ingest', '--no-vectors');
    await Promise.all([run('ingest'), run('ingest'), run('ingest')]);
    expect(vectorProcesses().length).toBeGreaterThan(0);
    await allMade();
    expect(embeddedInAll()).toBe(CHUNKS);
  }, 120_000);

  test('are made by the next one after a kill, without waiting for the lease of the first', async () => {
    await run('ingest');
    await eventually(() => made() > 0, { withinMs: 60_000 });
    for (const pid of vectorProcesses()) process.kill(pid, 'SIGKILL');
    const left = CHUNKS - made();
    expect(left).toBeGreaterThan(0);
    const startedAt = performance.now();
    await run('ingest');
    await eventually(() => CHUNKS - made() < left, { withinMs: 50_000 });
    expect(performance.now() - startedAt).toBeLessThan(50_000);
    await allMade();
    expect(embeddedInAll()).toBeLessThanOrEqual(left);
  }, 120_000);

  test('are left where they are at SIGTERM, and --wait makes the rest', async () => {
    await run('ingest');
    await eventually(() => made() > 0, { withinMs: 60_000 });
    for (const pid of vectorProcesses()) process.kill(pid, 'SIGTERM');
    await eventually(() => vectorProcesses().length === 0, { withinMs: 10_000 });
    expect(made()).toBeLessThan(CHUNKS);
    const { code } = await run('ingest', '--wait');
    expect({ code, made: made() }).toEqual({ code: 0, made: CHUNKS });
    expect(vectorProcesses()).toEqual([]);
  }, 120_000);

  test('are made by a service that runs, instead', async () => {
    const client = await startClient('hybrid', { DATA_DIR: dataDir });
    try {
      project.write('docs/many.md', document('page', 2));
      okBody(await client.rebuild(project));
      await eventually(() => made() === 2, { withinMs: 60_000 });
      project.write('docs/more.md', document('sheet', 10));
      const { err } = await run('ingest');
      expect(err).toContain('vectors follow from the service that runs');
      expect(vectorProcesses()).toEqual([]);
      await allMade(12);
    } finally {
      await client.service.stop();
    }
  }, 120_000);
});

// Helpers

function document(word: string, count: number): string {
  const sections = Array.from({ length: count }, (_, i) => {
    const sentence = `The ${word} ${i} says what a reader of this page should know about it. `;
    return `## ${word} ${i}\n${sentence.repeat(4)}\n`;
  });
  return sections.join('\n');
}

function run(...words: readonly string[]) {
  return runCommand(words, project.path, { DATA_DIR: dataDir });
}

/** Waits until every chunk has its vector, and nothing is left of the processes that made them. */
async function allMade(count = CHUNKS): Promise<void> {
  await eventually(() => made() === count && vectorProcesses().length === 0, {
    withinMs: 90_000,
    everyMs: 200,
  });
}

function made(): number {
  return Number(scalarOf(project.database, 'SELECT count(*) FROM embeddings'));
}

/** How many chunks the processes say that they have embedded. */
function embeddedInAll(): number {
  const lines = readFileSync(join(dataDir, 'vectors.log'), 'utf8').trim().split('\n');
  return lines.reduce((sum, line) => sum + (JSON.parse(line).embedded ?? 0), 0);
}

/** The processes that make vectors for the project. */
function vectorProcesses(): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return /make-vectors\.js$/.test(words[1] ?? '') && words[2] === project.path;
    } catch {
      return false;
    }
  });
}
