import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TransformersEmbedder } from '../../src/adapters/transformers/model/transformers-embedder.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { ModelHub } from './model-hub.js';
import { TINY_MODEL } from './tiny-model.js';
import { TemporaryFolders, tinyEmbedder } from './tiny-model-embedder.js';
import { writeLightWorker } from './tiny-model-worker.js';

type Options = Partial<Parameters<typeof tinyEmbedder>[0]>;

/** A hub, an empty models directory, and the embedders that a test makes to load from the one into the other. */
export class DownloadScene {
  readonly hub: ModelHub;
  readonly modelsDirectory: string;
  readonly clock = new FixedClock();
  readonly #folders: TemporaryFolders;
  readonly #lightWorker: URL;
  readonly #embedders: TransformersEmbedder[] = [];

  static async set(): Promise<DownloadScene> {
    const folders = new TemporaryFolders();
    const folder = await folders.make();
    const worker = await writeLightWorker(folder);
    return new DownloadScene(await ModelHub.start(), { folders, folder, worker });
  }

  private constructor(
    hub: ModelHub,
    place: { readonly folders: TemporaryFolders; readonly folder: string; readonly worker: URL },
  ) {
    this.hub = hub;
    this.#folders = place.folders;
    this.#lightWorker = place.worker;
    this.modelsDirectory = join(place.folder, 'models');
  }

  /** The folder of the model itself. */
  get folder(): string {
    return join(this.modelsDirectory, TINY_MODEL);
  }

  make(options: Options = {}): TransformersEmbedder {
    const embedder = tinyEmbedder({
      modelsDirectory: this.modelsDirectory,
      hub: `${this.hub.url}/`,
      downloads: 'allowed',
      clock: this.clock,
      ...options,
    });
    this.#embedders.push(embedder);
    return embedder;
  }

  /** An embedder whose threads do not read the files, for what happens before. */
  makeLight(options: Options = {}): TransformersEmbedder {
    return this.make({ workerFile: this.#lightWorker, ...options });
  }

  /** The files in the folder of the model, sorted; empty if it does not exist. */
  async modelFiles(): Promise<readonly string[]> {
    const names = await readdir(this.folder, { recursive: true }).catch(() => []);
    return names.filter((name) => name !== 'onnx').toSorted();
  }

  async strike(): Promise<void> {
    await Promise.all(this.#embedders.map((embedder) => embedder.close()));
    await this.hub.stop();
    await this.#folders.removeAll();
  }
}
