import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  TransformersEmbedder,
  type TransformersEmbedderOptions,
} from '../../src/adapters/transformers/model/transformers-embedder.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { TINY_MODEL } from './tiny-model.js';

/** The compiled worker, because worker threads cannot run TypeScript. */
export const WORKER_FILE = new URL(
  '../../dist/adapters/transformers/model/embedding-worker.js',
  import.meta.url,
);

/** An embedder for the tiny model that never reaches a real hub. `options` override its defaults. */
export function tinyEmbedder(
  options: Partial<TransformersEmbedderOptions> & { readonly modelsDirectory: string },
): TransformersEmbedder {
  return new TransformersEmbedder({
    model: TINY_MODEL,
    hub: 'http://127.0.0.1:1',
    downloads: 'forbidden',
    logger: new SilentLogger(),
    clock: new FixedClock(),
    workerFile: WORKER_FILE,
    ...options,
  });
}

/** Creates empty temporary folders, and removes them all at the end. */
export class TemporaryFolders {
  readonly #made: string[] = [];

  async make(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'models-'));
    this.#made.push(folder);
    return folder;
  }

  async removeAll(): Promise<void> {
    for (const folder of this.#made.splice(0)) await rm(folder, { recursive: true, force: true });
  }
}

/** Gives each test of a file a models directory, and embedders that load from it. Both are removed after the test. */
export function useModels() {
  const folders = new TemporaryFolders();
  const embedders: TransformersEmbedder[] = [];
  let directory = '';
  beforeEach(async () => {
    directory = await folders.make();
  });
  afterEach(async () => {
    await Promise.all(embedders.splice(0).map((embedder) => embedder.close()));
    await folders.removeAll();
  });
  return {
    /** The models directory, which is empty at first. */
    directory: () => directory,
    /** Creates another folder. */
    folder: () => folders.make(),
    make(options: Partial<TransformersEmbedderOptions> = {}): TransformersEmbedder {
      const embedder = tinyEmbedder({ modelsDirectory: directory, ...options });
      embedders.push(embedder);
      return embedder;
    },
  };
}
