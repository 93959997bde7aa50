import { isStorable, normalizedMean } from '../../domain/ranking/vector.js';
import { checksum } from '../../domain/text.js';
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
import { measureEmbedding } from '../measured-calls.js';
import type { Project } from '../project.js';
import { type BackgroundWork, type StepOutcome, VECTORS_LEASE } from './background-loop.js';
import { embedWithoutRefused, type Refusals, textKey } from './refused-texts.js';
import { calibrateRelevance } from './relevance-calibration.js';

export interface VectorWorkOptions {
  readonly embedder: EmbeddingModel;
  readonly relevanceScales: RelevanceScales;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface VectorWorkStart extends VectorWorkOptions {
  readonly refused: Refusals;
  readonly onIdle: () => void;
}

/** Chunks stored at a time; a crash loses no more than one batch of each lane. */
const BATCH = 8;
/** Concurrent batches, so that no thread waits for the longest text of a batch. */
const LANES = 4;
/** Headers per step: many, because they are short and each step first looks at all chunks. */
const HEADERS = 128;
/** Chunks per step: many, because each fetch reads the whole table; not all, because searches change their order. */
const PAGE = 64;

/** Embeds chunks and source headers that lack a vector, then the chunks' questions. */
export class VectorWork implements BackgroundWork {
  readonly name = VECTORS_LEASE;
  readonly #project: Project;
  readonly #options: VectorWorkOptions;
  readonly #onIdle: () => void;
  readonly #refused: Refusals;
  /** Checksum of the last embedded text, keyed by checksum of the chunk id. One entry per chunk. */
  readonly #made = new Map<VectorKind, Map<number, number>>();

  /** Whether there is nothing more to measure about the model's cosines. */
  #isCalibrated = false;
  /** Chunks embedded since the last report. */
  #embedded = 0;

  /** Calls `onIdle` when no chunk waits for a vector any more, and adds refused texts to `refused`. */
  constructor(project: Project, { refused, onIdle, ...options }: VectorWorkStart) {
    this.#project = project;
    this.#options = options;
    this.#refused = refused;
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
    if ((await this.#vectors.status('stored')).complete > 0) embedder.load();
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
    this.#isCalibrated ||= await calibrateRelevance(this.#options);
    await inLanes(splitBatches(page), async (batch) => {
      if (stopping.aborted) return;
      await this.#embed('content', batch);
      this.#embedded += batch.length;
    });
    return true;
  }

  async #pending(kind: VectorKind, limit: number): Promise<readonly PendingText[]> {
    const asked = limit + this.#refusedFor(kind).size;
    const pending = await this.#vectors.pending(kind, asked);
    if (pending.length < asked) this.#refusedFor(kind).keepPending(kind, pending);
    const made = this.#madeFor(kind);
    const wanted = pending.filter((item) => this.#isWanted(kind, item));
    if (wanted.length > 0 || pending.length < asked) return wanted.slice(0, limit);
    const all = await this.#vectors.pending(kind, asked + made.size);
    return all.filter((item) => this.#isWanted(kind, item)).slice(0, limit);
  }

  #madeFor(kind: VectorKind): Map<number, number> {
    const made = this.#made.get(kind) ?? new Map<number, number>();
    this.#made.set(kind, made);
    return made;
  }

  /** False for refused texts, and if another model has replaced the vector (docs/configuration.md, "Endpoints"). */
  #isWanted(kind: VectorKind, item: PendingText): boolean {
    const made = this.#madeFor(kind);
    const isReplaced =
      item.hasOtherModel === true && made.get(checksum(item.id)) === checksum(textKey(item));
    return !isReplaced && !this.#refusedFor(kind).has(item);
  }

  async #embed(kind: VectorKind, batch: readonly PendingText[]): Promise<void> {
    const { embedder } = this.#options;
    const embed = (texts: readonly PendingText[]) => this.#embedTogether(kind, texts);
    const refused = await embedWithoutRefused(batch, embed, embedder);
    for (const [text, reason] of refused) this.#refuse(kind, text, reason);
  }

  async #embedTogether(kind: VectorKind, batch: readonly PendingText[]): Promise<void> {
    const { embedder } = this.#options;
    const texts = batch.flatMap((pending) => pending.texts);
    const call = { kind: 'batch', texts: texts.length } as const;
    const vectors = await measureEmbedding(this.#options, call, () => embedder.embedBatch(texts));
    const made = this.#madeFor(kind);
    let next = 0;
    const entries: VectorEntry[] = [];
    for (const pending of batch) {
      const own = vectors.slice(next, next + pending.texts.length);
      next += pending.texts.length;
      const vector = normalizedMean(own);
      if (vector !== undefined && isStorable(vector, embedder.dimensions)) {
        entries.push({ ...pending, vector });
      } else this.#refuse(kind, pending, NO_USABLE_VECTOR);
      made.set(checksum(pending.id), checksum(textKey(pending)));
    }
    await this.#vectors.put(kind, entries);
  }

  #refuse(kind: VectorKind, text: DerivedFrom, reason: string): void {
    this.#refusedFor(kind).add(kind, text, reason);
    this.#options.logger.warn('The model refused a text.', { kind, id: text.id, reason });
  }

  #refusedFor(kind: VectorKind) {
    return kind === 'questions' ? this.#refused.hype : this.#refused.embeddings;
  }
}

const NO_USABLE_VECTOR = 'The model returned no usable vector.';

function splitBatches(page: readonly PendingText[]): readonly (readonly PendingText[])[] {
  const count = Math.ceil(page.length / BATCH);
  return Array.from({ length: count }, (_, i) => page.slice(i * BATCH, (i + 1) * BATCH));
}

/** Processes all items, even after a failure. @throws the first error, once all are done */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (failures.length > 0) throw failures[0];
}
