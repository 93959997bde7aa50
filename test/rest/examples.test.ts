import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT as ROOT, type RunningService, startService } from '../support/running-service.js';
import { TINY_MODEL, writeTinyModel } from '../support/tiny-model.js';

const run = promisify(execFile);

/** The examples run in a separate folder, so that files that they leave behind are noticed. */
let folder: string;
let service: RunningService | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  await writeTinyModel(join(folder, 'data', 'models'));
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

afterAll(() => rm(folder, { recursive: true }));

describe('the examples', () => {
  test('are all run here', async () => {
    const files = await readdir(join(ROOT, 'examples'));
    expect(files.filter((name) => name.endsWith('.mjs'))).toEqual([
      'hybrid-client.mjs',
      'in-memory.mjs',
      'in-process.mjs',
      'own-backend.mjs',
      'rest-client.mjs',
      'search-only-client.mjs',
      'small-project.mjs',
    ]);
  });

  test('have no error of type', async () => {
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const { stdout } = await run(tsc, ['-p', join(ROOT, 'examples')]);
    expect(stdout).toBe('');
  });

  test('in-process finds the section on locks and leaves nothing behind', async () => {
    const output = await example('in-process.mjs', { DATA_DIR: join(folder, 'empty') });
    expect(output).toContain('4 files are indexed, 0 were skipped.');
    expect(output).toContain('.knowledge/memory/database.md#0  Database locks  sqlite, locking');
    expect(output).toContain('Of 1 reflections: What went wrong');
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('in-memory finds without writing a file', async () => {
    const files = await mkdtemp(join(folder, 'project-'));
    await writeFile(join(files, 'cars.md'), '## Oil\nNew oil for the car.\n');
    expect(await example('in-memory.mjs', {}, [files, 'car'])).toBe('cars.md#0 Oil\n');
    expect(await readdir(files)).toEqual(['cars.md']);
    await rm(files, { recursive: true });
  });

  test('own-backend finds by meaning alone', async () => {
    expect(await example('own-backend.mjs')).toBe(
      'hybrid: docs/cars.md#0  Service interval\nCosine of two texts: 1.00\n',
    );
  });

  test('search-only-client finds by keyword what a running service indexed', async () => {
    service = await startService({ KNOWLEDGE_VARIANT: 'search-only', KNOWLEDGE_TOKEN: 'secret' });
    const output = await example('search-only-client.mjs', {
      KNOWLEDGE_URL: service.url,
      KNOWLEDGE_TOKEN: 'secret',
    });
    expect(output).toContain('7 chunks of 4 files are indexed.');
    expect(output).toMatch(/^-\d+\.\d\d {2}\.knowledge\/memory\/database\.md {2}Migrations$/m);
  });

  test('hybrid-client waits for the vectors and searches with them', async () => {
    service = await startService({
      KNOWLEDGE_MODEL: TINY_MODEL,
      DATA_DIR: join(folder, 'data'),
      KNOWLEDGE_OFFLINE: '1',
    });
    const output = await example('hybrid-client.mjs', { KNOWLEDGE_URL: service.url });
    expect(output).toContain('1 reflections and 1 agent outputs are indexed.');
    expect(output).toContain('7 of them have a vector; the model is ready.');
    expect(output).toMatch(/^hybrid: /m);
    expect(output).toContain('.knowledge/features/login/reflection.md  What went wrong');
  });

  test('a client shows the sentence and the code of a refusal', async () => {
    service = await startService({ KNOWLEDGE_VARIANT: 'search-only', KNOWLEDGE_TOKEN: 'secret' });
    const refused = example('search-only-client.mjs', { KNOWLEDGE_URL: service.url });
    await expect(refused).rejects.toThrow('401 unauthorized: This service requires a token');
  });
});

/** What an example prints; without arguments it creates a project of its own. */
async function example(
  name: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'examples', name), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder, ...env },
  });
  return stdout;
}
