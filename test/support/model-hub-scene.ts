import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { FixedClock } from '../fakes/fixed-clock.js';
import { ModelHub } from './model-hub.js';
import { TINY_MODEL } from './tiny-model.js';
import { useModels } from './tiny-model-embedder.js';
import { writeLightWorker } from './tiny-model-worker.js';

/**
 * Gives each test of a file a hub, an empty models directory, and embedders that load from the hub into the directory.
 */
export function useDownloads() {
  const models = useModels();
  let hub: ModelHub;
  let clock: FixedClock;
  let lightWorker: URL;
  beforeEach(async () => {
    [hub, clock] = [await ModelHub.start(), new FixedClock()];
    lightWorker = await writeLightWorker(await models.folder());
  });
  afterEach(() => hub.stop());
  const make = (options: Parameters<typeof models.make>[0] = {}) =>
    models.make({ hub: `${hub.url}/`, downloads: 'allowed', clock, ...options });
  return {
    hub: () => hub,
    clock: () => clock,
    modelsDirectory: models.directory,
    /** The folder of the model. */
    folder: () => join(models.directory(), TINY_MODEL),
    make,
    /** An embedder whose threads do not read the model's files, to test what happens before that. */
    makeLight: (options: Parameters<typeof make>[0] = {}) =>
      make({ workerFile: lightWorker, ...options }),
    /** The files in the model's folder, sorted; empty if the folder does not exist. */
    async modelFiles(): Promise<readonly string[]> {
      const path = join(models.directory(), TINY_MODEL);
      const names = await readdir(path, { recursive: true }).catch(() => []);
      return names.filter((name) => name !== 'onnx').toSorted();
    },
  };
}
