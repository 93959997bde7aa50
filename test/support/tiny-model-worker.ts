import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes the entry of a worker that has no model and so starts fast. It answers every text with a
 * sound vector, or with `special[text]` where `special` (JavaScript) has it, and its trial with
 * `special.trial`; the texts `crash`, `exit` and `fail` end it, and `hang` is never answered.
 */
export async function writeLightWorker(folder: string, special = '{}'): Promise<URL> {
  const file = join(folder, 'worker.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';
    const special = ${special};
    const sound = new Float32Array(384).fill(1);
    const reply = (vector) => parentPort.postMessage({ kind: 'vector', vector });
    reply(special.trial ?? sound);
    parentPort.on('message', ({ text }) => {
      if (text === 'crash') throw new Error('crashed');
      if (text === 'exit') process.exit(0);
      if (text === 'fail') return parentPort.postMessage({ kind: 'failed', reason: 'no' });
      if (text !== 'hang') reply(special[text] ?? sound);
    });`,
  );
  return pathToFileURL(file);
}
