import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TINY_MODEL, writeTinyModel } from '../../support/tiny-model.js';
import { useModels, WORKER_FILE } from '../../support/tiny-model-embedder.js';

const models = useModels();

describe('a process with the transformers embedder', () => {
  it('waits for the end of a thread that sends its first vector while it is being closed', async () => {
    const worker = join(models.directory(), 'slow-to-end.mjs');
    await writeFile(
      worker,
      `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => {});
      parentPort.postMessage({ kind: 'vector', vector: new Float32Array(384).fill(1) });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);`,
    );
    const program = `
      import { ModelThread } from './dist/adapters/transformers/model/model-thread.js';
      const closing = new AbortController();
      const start = { workerFile: new URL(${JSON.stringify(`file://${worker}`)}), signal: closing.signal };
      const started = ModelThread.start(start);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      closing.abort();
      await started.then((thread) => thread.close(), () => {});
      process.stdout.write('closed');
    `;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('closed');
  });

  it('prints nothing, waits for calls, ends by itself, and maps no native module', async () => {
    await writeTinyModel(models.directory());
    await rename(weights(), `${weights()}.away`);
    await writeFile(weights(), 'not a model');
    const { stdout, stderr } = await runScript(`
      import { readFileSync } from 'node:fs';
      import { rename } from 'node:fs/promises';
      await embedder.embed('apple').catch(() => {});
      await rename(${JSON.stringify(`${weights()}.away`)}, ${JSON.stringify(weights())});
      clock.monotonic = () => 1e9;
      const [vector] = await embedder.embedBatch(['apple']);
      await embedder.embed('apple');
      const native = /\\S+\\.node$/gm.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
      process.stdout.write(JSON.stringify({ values: vector.length, native }));
    `);
    expect(JSON.parse(stdout)).toEqual({ values: 384 });
    expect(stderr).toBe('');
  });

  it.runIf(process.platform === 'linux')(
    'lowers the priority of the threads for batches only',
    async () => {
      await writeTinyModel(models.directory());
      const { stdout } = await runScript(`
      import { readdirSync, readFileSync } from 'node:fs';
      const nices = () => readdirSync('/proc/self/task').map((id) =>
        Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16]));
      const before = nices();
      await embedder.embed('apple');
      const query = nices();
      await embedder.embedBatch(['apple']);
      const both = nices();
      const raised = (list) => list.filter((nice) => nice !== before[0]);
      process.stdout.write(JSON.stringify({ query: raised(query), batch: [...new Set(raised(both))] }));
    `);
      expect(JSON.parse(stdout)).toEqual({ query: [], batch: [19] });
    },
  );
});

function weights(): string {
  return join(models.directory(), TINY_MODEL, 'onnx/model_quantized.onnx');
}

/** Runs a script in a process of its own that has an \`embedder\` of the tiny model, and never closes it. */
async function runScript(script: string) {
  const file = join(await models.folder(), 'script.mjs');
  const module = new URL('./transformers-embedder.js', WORKER_FILE);
  const prelude = `
    import { TransformersEmbedder } from ${JSON.stringify(module.href)};
    const silent = () => {};
    const logger = { debug: silent, info: silent, warn: silent, error: silent };
    const clock = { now: () => new Date(), monotonic: () => 0, sleep: () => new Promise(() => {}) };
    const embedder = new TransformersEmbedder({ model: ${JSON.stringify(TINY_MODEL)},
      modelsDirectory: ${JSON.stringify(models.directory())}, downloads: 'forbidden', logger, clock });
  `;
  await writeFile(file, prelude + script);
  return promisify(execFile)(process.execPath, [file], { timeout: 30_000 });
}
