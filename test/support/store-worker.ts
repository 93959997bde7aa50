import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SERVE = new URL('../../dist/adapters/store-threads/serve-stores.js', import.meta.url);

/**
 * Writes the entry of a thread whose stores do what the first id of a call says: `stuck` never returns,
 * `take long` blocks the thread for 30 ms, `crash` ends the thread, `crash once` does so the first time, `wait` waits for ever without blocking
 * the thread, `list` returns 2,500 pairs, `fail` throws; anything else is answered with the number of the thread.
 */
export async function writeStoreWorker(folder: string): Promise<URL> {
  const file = join(folder, 'store-worker.mjs');
  await writeFile(
    file,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { threadId } from 'node:worker_threads';
    import { serveStores } from ${JSON.stringify(SERVE.href)};
    const crashed = ${JSON.stringify(join(folder, 'crashed'))};
    const doWhat = (watched) => async ([what]) => {
      if (what === 'stuck') watched(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
      if (what === 'take long') watched(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30));
      if (what === 'crash' || (what === 'crash once' && !existsSync(crashed))) {
        writeFileSync(crashed, '');
        process.exit(1);
      }
      if (what === 'wait') await new Promise(() => {});
      if (what === 'list') return Array.from({ length: 2500 }, (_, i) => [what, i]);
      if (what === 'fail') throw Object.assign(new Error('It failed.'), { code: 'SQLITE_ODD' });
      return watched(() => threadId);
    };
    serveStores(({ watched }) => ({
      open: async (path) => {
        if (!existsSync(path + '/store')) writeFileSync(path + '/store', '');
        return {
          chunks: { getChunks: doWhat(watched) },
          keywords: { search: doWhat(watched) },
          retrievals: { record: doWhat(watched) },
          vectors: { put: async ([entry]) => entry.vector[0] },
          texts: {},
        };
      },
      locationOf: (path) => path + '/store',
      release: async () => {},
      close: async () => {},
    }));`,
  );
  return pathToFileURL(file);
}
