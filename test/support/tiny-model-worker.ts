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
    parentPort.postMessage({ kind: 'ready', trial: special.trial ?? sound });
    parentPort.on('message', ({ kind, id, texts }) => {
      if (kind !== 'embed') return;
      if (texts[0] === 'crash') throw new Error('crashed');
      if (texts[0] === 'hang') return;
      if (texts[0] === 'exit') process.exit(0);
      if (texts[0] === 'fail') return parentPort.postMessage({ kind: 'failed', id, reason: 'no' });
      parentPort.postMessage({ kind: 'vectors', id, vectors: [special[texts[0]] ?? sound] });
    });`,
  );
  return pathToFileURL(file);
}
