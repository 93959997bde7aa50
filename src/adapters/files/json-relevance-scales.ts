import { join } from 'node:path';
import type { CosineScale } from '../../domain/ranking/cosine-scale.js';
import { isRecord } from '../../domain/records.js';
import type { Clock } from '../../ports/clock.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** Keeps relevance scales in `relevance-scales.json` in the data directory, by model name. */
export class JsonRelevanceScales implements RelevanceScales {
  readonly #directory: string;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known = new Map<string, CosineScale>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(directory: string, clock: Pick<Clock, 'monotonic'>) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async read(model: string): Promise<CosineScale | undefined> {
    const now = this.#clock.monotonic();
    if (!this.#known.has(model) && now - this.#readAt >= READ_EVERY_MS) {
      this.#readAt = now;
      const scale = (await this.#stored())[model];
      if (isScale(scale)) this.#known.set(model, scale);
    }
    return this.#known.get(model);
  }

  async save(model: string, scale: CosineScale): Promise<void> {
    this.#known.set(model, scale);
    const scales = { ...(await this.#stored()), [model]: scale };
    try {
      await writePrivateJson(this.#file, scales);
    } catch {
      // The data directory is probably read-only; the next process measures again.
    }
  }

  get #file(): string {
    return join(this.#directory, 'relevance-scales.json');
  }

  /** Empty if the file does not exist or is not one of ours. */
  async #stored(): Promise<Readonly<Record<string, unknown>>> {
    const value = await readPrivateJson(this.#file);
    return isRecord(value) ? value : {};
  }
}

const READ_EVERY_MS = 60_000;

function isScale(value: unknown): value is CosineScale {
  if (!isRecord(value)) return false;
  const { own, others } = value;
  return typeof own === 'number' && typeof others === 'number' && own > others;
}
