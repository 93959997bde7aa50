import { errorReason, KnowledgeError } from '../../domain/errors.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { Answer, PrimaryMessage, Question, WorkerMessage } from './messages.js';

/** The services that the primary offers to all workers. */
export interface SharedServices {
  readonly embedder: EmbeddingModel;
  /** The combined metrics of all workers, in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
}

/** The primary's end of the channel to one worker. */
export class WorkerLink {
  readonly #services: SharedServices;
  readonly #send: (message: PrimaryMessage) => void;
  readonly #asked = new Map<number, AbortController>();
  #sentState = '';
  #isWaitedFor = false;

  constructor(services: SharedServices, send: (message: PrimaryMessage) => void) {
    this.#services = services;
    this.#send = send;
  }

  receive(message: WorkerMessage): void {
    if (message.kind === 'question') void this.#answer(message.id, message.question);
    if (message.kind === 'abort') this.#asked.get(message.id)?.abort();
    if (message.kind === 'hurry') this.#hurry(message.isWaitedFor);
    if (message.kind !== 'load') return;
    this.#services.embedder.load(message.which);
    this.#sentState = '';
    this.shareModelState();
  }

  /** Withdraws the worker's request to hurry. To be called after the worker has exited. */
  close(): void {
    if (this.#isWaitedFor) this.#hurry(false);
  }

  #hurry(isWaitedFor: boolean): void {
    this.#isWaitedFor = isWaitedFor;
    this.#services.embedder.hurry?.(isWaitedFor);
  }

  /** Sends the state of the model if it has changed. */
  shareModelState(): void {
    const { embedder } = this.#services;
    const { model, dimensions } = embedder;
    const state = { model, dimensions, status: embedder.status() };
    if (JSON.stringify(state) === this.#sentState) return;
    this.#sentState = JSON.stringify(state);
    this.#send({ kind: 'model', state });
  }

  async #answer(id: number, question: Question): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(id, asked);
    const answer = await this.#answerTo(question, asked.signal).catch(failure);
    this.#asked.delete(id);
    this.shareModelState();
    this.#send({ kind: 'answer', id, answer });
  }

  async #answerTo(question: Question, signal: AbortSignal): Promise<Answer> {
    const { embedder, metrics } = this.#services;
    if (question.purpose === 'metrics') return { metrics: await metrics() };
    const { texts } = question;
    if (question.purpose === 'batch')
      return { vectors: await embedder.embedBatch(texts, question.role) };
    return { vectors: [await embedder.embed(texts[0] ?? '', signal)] };
  }
}

function failure(error: unknown): Answer {
  const code = error instanceof KnowledgeError ? error.code : 'internal';
  return { error: { code, sentence: errorReason(error) } };
}
