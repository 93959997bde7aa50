import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes the script of a worker that starts fast, because it has no model. It returns a valid vector for every text, or
 * `special[text]` if `special` (JavaScript source) has that, and `special.trial` for its trial. The texts `crash` and
 * `exit` end it, `fail` makes it report a failure, and `hang` gets no response.
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
