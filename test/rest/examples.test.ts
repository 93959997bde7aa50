import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  CHECKOUT,
  type Environment,
  type RunningService,
  runProgram,
  startService,
} from '../support/running-service.js';
import { testProjects } from '../support/test-projects.js';
import { TINY_MODEL, writeTinyModel } from '../support/tiny-model.js';

const projects = testProjects();
/** The examples run in a separate folder, so that files that they leave behind are noticed. */
const { path: folder } = projects.make();
await writeTinyModel(join(folder, 'data', 'models'));

let service: RunningService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

describe('the examples', () => {
  test('are all run here', async () => {
    const files = await readdir(join(CHECKOUT, 'examples'));
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
    const tsc = join(CHECKOUT, 'node_modules', '.bin', 'tsc');
    const checked = await runProgram([tsc, '-p', join(CHECKOUT, 'examples')], CHECKOUT);
    expect(checked).toMatchObject({ code: 0, out: '' });
  });

  test('in-process finds the section on locks and leaves nothing behind', async () => {
    const output = await example('in-process.mjs', { DATA_DIR: join(folder, 'empty') });
    expect(output).toContain('4 files are indexed, 0 were skipped.');
    expect(output).toContain('.knowledge/memory/database.md#0  Database locks  sqlite, locking');
    expect(output).toContain('Of 1 reflections: What went wrong');
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('in-memory finds without writing a file', async () => {
    const { path } = projects.make({ 'cars.md': '## Oil\nNew oil for the car.\n' });
    expect(await example('in-memory.mjs', {}, [path, 'car'])).toBe('cars.md#0 Oil\n');
    expect(await readdir(path)).toEqual(['cars.md']);
  });

  test('own-backend finds by meaning alone', async () => {
    expect(await example('own-backend.mjs')).toBe(
      'hybrid: docs/cars.md#0  Service interval\nCosine of two texts: 1.00\n',
    );
  });

  test('search-only-client finds by keyword, or shows the sentence and the code of a refusal', async () => {
    service = await startService({ KNOWLEDGE_VARIANT: 'search-only', KNOWLEDGE_TOKEN: 'secret' });
    const env = { KNOWLEDGE_URL: service.url };
    const output = await example('search-only-client.mjs', { ...env, KNOWLEDGE_TOKEN: 'secret' });
    expect(output).toContain('7 chunks of 4 files are indexed.');
    expect(output).toMatch(/^-\d+\.\d\d {2}\.knowledge\/memory\/database\.md {2}Migrations$/m);
    const refused = example('search-only-client.mjs', env);
    await expect(refused).rejects.toThrow('401 unauthorized: This service requires a token');
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
});

/** What an example prints; without arguments it creates a project of its own. @throws what it says where it fails */
async function example(name: string, env: Environment = {}, args: readonly string[] = []) {
  const program = [process.execPath, join(CHECKOUT, 'examples', name), ...args];
  const { code, out, err } = await runProgram(program, folder, { TMPDIR: folder, ...env });
  if (code !== 0) throw new Error(err);
  return out;
}
