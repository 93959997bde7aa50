import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import type { QuestionGenerator } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { PendingText } from '../../ports/vector-index.js';
import { type Measuring, measuredTask } from '../measured-calls.js';
import type { Project } from '../project.js';
import type { BackgroundWork, StepOutcome } from './background-loop.js';
import type { CallLimiter } from './call-limiter.js';
import type { RefusedTexts } from './refused-texts.js';

interface QuestionWorkOptions extends Measuring {
  readonly generator: QuestionGenerator;
  readonly logger: Logger;
  /** Of all projects together. */
  readonly limiter: CallLimiter;
  /** Gets the chunks without questions. */
  readonly refused: RefusedTexts;
  /** Called when a chunk has questions that wait for their vector. */
  readonly onQuestions: () => void;
}

/** Asks the language model which questions each chunk answers, one chunk per step (docs/specification.md, "HyPE"). */
export class QuestionWork implements BackgroundWork {
  readonly name = 'questions';
  readonly #project: Project;
  readonly #options: QuestionWorkOptions;
  #failuresInARow = 0;

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
    const { refused, onQuestions } = this.#options;
    const asked = refused.size + 1;
    const candidates = await vectors.pending('questionTexts', asked);
    if (candidates.length < asked) refused.keepPending('questionTexts', candidates);
    const chunk = candidates.find((candidate) => !refused.has(candidate));
    if (chunk === undefined) return 'idle';
    const questions = await this.#ask(chunk);
    if (questions !== undefined) {
      await vectors.put('questionTexts', [{ ...chunk, questions }]);
      onQuestions();
    }
    return 'worked';
  }

  /**
   * Undefined where the endpoint has nothing for this chunk.
   * @throws ModelCallError where it has nothing for many in a row, or does not answer at all
   */
  async #ask(chunk: PendingText): Promise<readonly string[] | undefined> {
    const { generator, limiter } = this.#options;
    await limiter.admit();
    try {
      const questions = await measuredTask(this.#options, 'questions', () =>
        generator.generateQuestions(chunk.texts.join('\n')),
      );
      this.#failuresInARow = 0;
      return questions;
    } catch (error) {
      if (!(error instanceof ModelCallError) || !CHUNK_FAILURES.has(error.failure)) throw error;
      this.#options.refused.add('questionTexts', chunk, error.message);
      this.#failuresInARow += 1;
      if (this.#failuresInARow > CHUNK_FAILURES_IN_A_ROW) throw error;
      this.#options.logger.warn('A chunk got no questions.', {
        chunk: chunk.id,
        reason: error.message,
      });
      return undefined;
    }
  }
}

/** Failures that may be due to the chunk: asked for another, the endpoint may answer. */
const CHUNK_FAILURES: ReadonlySet<ModelCallFailure> = new Set(['unusable', 'refused']);
/** After as many the endpoint is to blame, and asking pauses. */
const CHUNK_FAILURES_IN_A_ROW = 3;
