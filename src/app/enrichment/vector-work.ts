import { checksumOf } from '../../domain/chunks/text.js';
import { isStorable, normalizedMean } from '../../domain/ranking/vector.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { Metrics } from '../../ports/metrics.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import type {
  DerivedFrom,
  PendingText,
  VectorEntry,
  VectorKind,
} from '../../ports/vector-index.js';
import { measuredEmbedding } from '../embedding-metrics.js';
import type { Project } from '../projects/project.js';
import type { BackgroundWork, StepOutcome } from './background-loop.js';
import { calibrateRelevance } from './relevance-calibration.js';

export interface VectorWorkOptions {
  readonly embedder: EmbeddingModel;
  readonly relevanceScales: RelevanceScales;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Chunks stored at a time; a crash loses no more than one batch of each lane. */
const BATCH = 8;
/** Batches under way at a time, so that no thread waits for the longest text of a batch. */
const LANES = 4;
/** Headers of one step; they are short, and each step looks at all chunks first. */
const HEADERS = 128;
/** Chunks of one step; many, because each fetch reads the whole table, but the order of what is pending changes with each search. */
const PAGE = 64;

/** Gives every chunk, the header of every source, and then every chunk's questions the vectors that they lack. */
export class VectorWork implements BackgroundWork {
  readonly name = 'vectors';
  readonly #project: Project;
  readonly #options: VectorWorkOptions;
  readonly #onIdle: () => void;
  /** Keys of texts that got no usable vector; they are tried again after a restart. */
  readonly #givenUp = new Set<string>();
  /** What this process embedded last, by the checksum of the id that of the texts: as many as there are chunks. */
  readonly #made = new Map<VectorKind, Map<number, number>>();

  /** Chunks since the last report. */
  #embedded = 0;

  /** `onIdle` is called when no chunk is waiting for a vector any more. */
  constructor(project: Project, options: VectorWorkOptions, onIdle: () => void) {
    this.#project = project;
    this.#options = options;
    this.#onIdle = onIdle;
  }

  get leases() {
    return this.#project.store.upkeep;
  }

  canWork(): boolean {
    return this.#options.embedder.status().state !== 'absent';
  }

  async step(stopping: AbortSignal): Promise<StepOutcome> {
    const hadChunks = await this.#embedContents(stopping);
    const hadHeaders = await this.#embedSome('headers', HEADERS);
    if (hadChunks || hadHeaders) return 'worked';
    this.#report();
    if (await this.#embedSome('questions', BATCH)) return 'worked';
    await this.#prepareQueries();
    this.#onIdle();
    return 'idle';
  }

  #report(): void {
    const { path: project } = this.#project;
    const fields = { project, embedded: this.#embedded };
    if (this.#embedded > 0) this.#options.logger.info('All chunks are embedded.', fields);
    this.#embedded = 0;
  }

  /** Loads the model in advance if the project already has vectors, so that the first query can use them. */
  async #prepareQueries(): Promise<void> {
    const { embedder } = this.#options;
    if (embedder.status().state !== 'idle') return;
    if ((await this.#vectors.status('content')).complete > 0) embedder.load();
  }

  get #vectors() {
    return this.#project.store.vectors;
  }

  async #embedSome(kind: VectorKind, limit: number): Promise<boolean> {
    const pending = await this.#pending(kind, limit);
    if (pending.length > 0) await this.#embed(kind, pending);
    return pending.length > 0;
  }

  async #embedContents(stopping: AbortSignal): Promise<boolean> {
    const page = await this.#pending('content', PAGE);
    if (page.length === 0) return false;
    await calibrateRelevance(this.#options);
    await inLanes(batchesOf(page), async (batch) => {
      if (stopping.aborted) return;
      await this.#embed('content', batch);
      this.#embedded += batch.length;
    });
    return true;
  }

  async #pending(kind: VectorKind, limit: number): Promise<readonly PendingText[]> {
    const asked = limit + this.#givenUp.size;
    const pending = await this.#vectors.pending(kind, asked);
    const made = this.#madeFor(kind);
    const wanted = pending.filter((item) => this.#isWanted(item, made));
    if (wanted.length > 0 || pending.length < asked) return wanted.slice(0, limit);
    const all = await this.#vectors.pending(kind, asked + made.size);
    return all.filter((item) => this.#isWanted(item, made)).slice(0, limit);
  }

  #madeFor(kind: VectorKind): Map<number, number> {
    const made = this.#made.get(kind) ?? new Map<number, number>();
    this.#made.set(kind, made);
    return made;
  }

  /** Where another instance has replaced our vector with one of its model, that one stays: see docs/configuration.md. */
  #isWanted(item: PendingText, made: ReadonlyMap<number, number>): boolean {
    const key = keyOf(item);
    const isReplaced =
      item.hasOtherModel === true && made.get(checksumOf(item.id)) === checksumOf(key);
    return !isReplaced && !this.#givenUp.has(key);
  }

  async #embed(kind: VectorKind, batch: readonly PendingText[]): Promise<void> {
    const { embedder } = this.#options;
    const texts = batch.flatMap((pending) => pending.texts);
    const call = { kind: 'batch', texts: texts.length } as const;
    const embed = () => embedder.embedBatch(texts);
    const vectors = await measuredEmbedding(this.#options, call, embed);
    const made = this.#madeFor(kind);
    let next = 0;
    const entries: VectorEntry[] = [];
    const unusable: DerivedFrom[] = [];
    for (const pending of batch) {
      const own = vectors.slice(next, next + pending.texts.length);
      next += pending.texts.length;
      const vector = normalizedMean(own);
      if (vector !== undefined && isStorable(vector, embedder.dimensions)) {
        entries.push({ ...pending, vector });
      } else unusable.push(pending);
      made.set(checksumOf(pending.id), checksumOf(keyOf(pending)));
    }
    this.#giveUp(kind, unusable);
    await this.#vectors.put(kind, entries);
  }

  #giveUp(kind: VectorKind, texts: readonly DerivedFrom[]): void {
    if (texts.length === 0) return;
    for (const text of texts) this.#givenUp.add(keyOf(text));
    const ids = texts.map(({ id }) => id);
    this.#options.logger.warn('Some texts got no usable vector.', { kind, ids });
  }
}

function batchesOf(page: readonly PendingText[]): readonly (readonly PendingText[])[] {
  const count = Math.ceil(page.length / BATCH);
  return Array.from({ length: count }, (_, i) => page.slice(i * BATCH, (i + 1) * BATCH));
}

/** @throws the first error, once nothing is under way any more */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    } finally {
      waiting.length = 0;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
  for (const result of lanes) if (result.status === 'rejected') throw result.reason;
}

function keyOf({ id, texts }: DerivedFrom): string {
  return [id, ...texts].join('\n');
}
