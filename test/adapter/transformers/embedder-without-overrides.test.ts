import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TINY_MODEL, writeTinyModel } from '../../support/tiny-model.js';
import { useModels, WORKER_FILE } from '../../support/tiny-model-embedder.js';

const run = promisify(execFile);
const OURS = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const DIST = fileURLToPath(new URL('../../..', WORKER_FILE));
const STUBBED = ['sharp', 'onnxruntime-node'];
const models = useModels();

describe('the embedder without the overrides of our package.json', () => {
  it('loads, though neither sharp nor onnxruntime-node is there', async () => {
    const place = models.directory();
    await linkPackages(join(place, 'node_modules'));
    await symlink(DIST, join(place, 'dist'));
    await writeFile(join(place, 'package.json'), '{"type":"module"}');
    await writeTinyModel(place);
    // Without the hook the library itself cannot be imported here.
    await expect(runScript(place, `await import('@xenova/transformers');`)).rejects.toThrow(
      /'sharp'/,
    );
    expect(await runScript(place, embedScript(place))).toBe('384');
  });
});

async function linkPackages(target: string): Promise<void> {
  for (const name of await packages()) {
    if (STUBBED.includes(name)) continue;
    await mkdir(dirname(join(target, name)), { recursive: true });
    await symlink(join(OURS, name), join(target, name));
  }
}

async function packages(): Promise<readonly string[]> {
  const names = (await readdir(OURS)).filter((name) => !name.startsWith('.'));
  const scopes = names.filter((name) => name.startsWith('@'));
  const scoped = await Promise.all(
    scopes.map(async (scope) =>
      (await readdir(join(OURS, scope))).map((name) => join(scope, name)),
    ),
  );
  return [...names.filter((name) => !name.startsWith('@')), ...scoped.flat()];
}

/** Links are not resolved, so that packages find their neighbors here and not ours. */
async function runScript(place: string, script: string): Promise<string> {
  const file = join(place, 'script.js');
  await writeFile(file, script);
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const { stdout } = await run(process.execPath, [...flags, file], { timeout: 30_000 });
  return stdout;
}

function embedScript(place: string): string {
  const options = { model: TINY_MODEL, modelsDirectory: place, downloads: 'forbidden' };
  return `
    import { TransformersEmbedder } from './dist/adapters/transformers/model/transformers-embedder.js';
    const clock = { now: () => new Date(), monotonic: () => 0, sleep: async () => {} };
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const embedder = new TransformersEmbedder({ ...${JSON.stringify(options)}, clock, logger });
    process.stdout.write(String((await embedder.embed('apple')).length));
  `;
}
