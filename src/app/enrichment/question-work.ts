import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import type { QuestionGenerator } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { PendingText } from '../../ports/vector-index.js';
import { type Measuring, measureTask } from '../measured-calls.js';
import type { Project } from '../project.js';
import type { BackgroundWork, StepOutcome } from './background-loop.js';
import type { CallLimiter } from './call-limiter.js';
import { type RefusedTexts, textKey } from './refused-texts.js';

interface QuestionWorkOptions extends Measuring {
  readonly generator: QuestionGenerator;
  readonly logger: Logger;
  /** Shared by all projects. */
  readonly limiter: CallLimiter;
  /** Collects the chunks for which no questions can be generated. */
  readonly refused: RefusedTexts;
  /** Called when a chunk has got questions, which still need a vector. */
  readonly onQuestions: () => void;
}

/** Asks the language model which questions each chunk answers, one chunk per step (docs/specification.md, "HyPE"). */
export class QuestionWork implements BackgroundWork {
  readonly name = 'questions';
  readonly #project: Project;
  readonly #options: QuestionWorkOptions;
  #failuresInARow = 0;
  #answers = 0;
  /**
   * Chunks for which the endpoint failed as if it were down. Maps their text to the number of answers before the
   * failure.
   */
  readonly #postponed = new Map<string, number>();

  constructor(project: Project, options: QuestionWorkOptions) {
    this.#project = project;
    this.#options = options;
  }

  get leases() {
    return this.#project.store.upkeep;
  }

  canWork(): boolean {
    return this.#options.generator.isAvailable?.() ?? true;
  }

  async step(): Promise<StepOutcome> {
    const { vectors } = this.#project.store;
    const chunk = await this.#next();
    if (chunk === undefined) return 'idle';
    const questions = await this.#ask(chunk);
    if (questions !== undefined) {
      await vectors.put('questionTexts', [{ ...chunk, questions }]);
      this.#options.onQuestions();
    }
    return 'worked';
  }

  /** Chooses the next chunk. Chunks for which the endpoint failed come last, so that they do not hold up the others. */
  async #next(): Promise<PendingText | undefined> {
    const { refused } = this.#options;
    const asked = refused.size + this.#postponed.size + 1;
    const candidates = await this.#project.store.vectors.pending('questionTexts', asked);
    if (candidates.length < asked) {
      refused.keepPending('questionTexts', candidates);
      this.#forgetPostponed(candidates);
    }
    const waiting = candidates.filter((candidate) => !refused.has(candidate));
    return waiting.find((candidate) => !this.#postponed.has(textKey(candidate))) ?? waiting[0];
  }

  /** Forgets chunks that changed or are gone. */
  #forgetPostponed(pending: readonly PendingText[]): void {
    const keys = new Set(pending.map(textKey));
    for (const key of this.#postponed.keys()) if (!keys.has(key)) this.#postponed.delete(key);
  }

  /**
   * Returns undefined if the endpoint has no questions for this chunk.
   * @throws ModelCallError if more than {@link CHUNK_FAILURES_IN_A_ROW} chunks in a row get none, or if the endpoint is
   *   down
   */
  async #ask(chunk: PendingText): Promise<readonly string[] | undefined> {
    const { generator, limiter } = this.#options;
    await limiter.admit();
    try {
      const questions = await measureTask(this.#options, 'questions', () =>
        generator.generateQuestions(chunk.texts.join('\n')),
      );
      this.#failuresInARow = 0;
      this.#answers += 1;
      this.#postponed.delete(textKey(chunk));
      return questions;
    } catch (error) {
      if (!(error instanceof ModelCallError) || !this.#isForChunk(error, chunk)) throw error;
      this.#options.refused.add('questionTexts', chunk, error.message);
      this.#failuresInARow += 1;
      if (this.#failuresInARow > CHUNK_FAILURES_IN_A_ROW) throw error;
      this.#options.logger.warn('No questions were generated for a chunk.', {
        chunk: chunk.id,
        reason: error.message,
      });
      return undefined;
    }
  }

  /**
   * Whether the chunk is to blame: its answer was unusable or refused, or the endpoint failed on it twice and answered
   * for other chunks in between.
   */
  #isForChunk({ failure }: ModelCallError, chunk: PendingText): boolean {
    if (CHUNK_FAILURES.has(failure)) return true;
    if (!DOWN_FAILURES.has(failure)) return false;
    const key = textKey(chunk);
    const before = this.#postponed.get(key);
    const isForChunk = before !== undefined && before < this.#answers;
    if (isForChunk) this.#postponed.delete(key);
    else if (before === undefined) this.#postponed.set(key, this.#answers);
    return isForChunk;
  }
}

/** Failures for which the chunk may be to blame; the endpoint may answer for another chunk. */
const CHUNK_FAILURES: ReadonlySet<ModelCallFailure> = new Set(['unusable', 'refused']);
/** Failures of an endpoint that is down, or that crashes on the chunk. */
const DOWN_FAILURES: ReadonlySet<ModelCallFailure> = new Set(['unreachable', 'failed']);
/** If more chunks than this fail in a row, the endpoint is to blame, and calls pause. */
const CHUNK_FAILURES_IN_A_ROW = 3;
