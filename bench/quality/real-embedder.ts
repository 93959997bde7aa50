import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createPinoLogger } from '../../src/adapters/system/pino-logger.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { TransformersEmbedder } from '../../src/adapters/transformers/model/transformers-embedder.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';

export const MODEL = 'Xenova/all-MiniLM-L6-v2';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = [
  join(CHECKOUT, '../shared/models'),
  join(process.env['DATA_DIR'] ?? join(CHECKOUT, 'data'), 'models'),
];
const WORKER = join(CHECKOUT, 'dist/adapters/transformers/model/embedding-worker.js');

/**
 * Loads the service's model. Its worker threads run from `dist`. Downloads nothing.
 * @throws Error if the weights or the build are missing
 */
export async function loadRealEmbedder(): Promise<EmbeddingModel> {
  const place = PLACES.find((path) => existsSync(join(path, MODEL, 'onnx/model_quantized.onnx')));
  if (place === undefined) throw new Error(`--embed needs ${MODEL} in ${PLACES.join(' or ')}.`);
  if (!existsSync(WORKER)) throw new Error('--embed needs a build: npm run build');
  const embedder = new TransformersEmbedder({
    model: MODEL,
    modelsDirectory: place,
    hub: 'http://127.0.0.1:1',
    downloads: 'forbidden',
    clock: systemClock,
    logger: createPinoLogger('silent'),
    workerFile: pathToFileURL(WORKER),
  });
  await embedder.embed('warm');
  return embedder;
}
