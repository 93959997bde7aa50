import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import type { QuestionGenerator } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { PendingText } from '../../ports/vector-index.js';
import type { Project } from '../projects/project.js';
import type { BackgroundWork, StepOutcome } from './background-loop.js';
import type { CallLimiter } from './call-limiter.js';

interface QuestionWorkOptions {
  readonly generator: QuestionGenerator;
  readonly logger: Logger;
  /** Of all projects together. */
  readonly limiter: CallLimiter;
}

/** Asks the language model which questions each chunk answers, one chunk per step (docs/specification.md, "HyPE"). */
export class QuestionWork implements BackgroundWork {
  readonly name = 'questions';
  readonly #project: Project;
  readonly #options: QuestionWorkOptions;
  readonly #onQuestions: () => void;
  /** Chunks that got no questions, with their text; they are tried again after a restart. */
  readonly #givenUp = new Set<string>();
  #failuresInARow = 0;

  /** `onQuestions` is called when a chunk has questions that wait for their vector. */
  constructor(project: Project, options: QuestionWorkOptions, onQuestions: () => void) {
    this.#project = project;
    this.#options = options;
    this.#onQuestions = onQuestions;
  }

  get leases() {
    return this.#project.store.upkeep;
  }

  canWork(): boolean {
    return this.#options.generator.isAvailable();
  }

  async step(): Promise<StepOutcome> {
    const { vectors } = this.#project.store;
    const candidates = await vectors.pending('questionTexts', this.#givenUp.size + 1);
    const chunk = candidates.find((candidate) => !this.#givenUp.has(keyOf(candidate)));
    if (chunk === undefined) return 'idle';
    const questions = await this.#ask(chunk);
    if (questions !== undefined) {
      await vectors.put('questionTexts', [{ ...chunk, questions }]);
      this.#onQuestions();
    }
    return 'worked';
  }

  /**
   * Undefined where the endpoint has nothing for this chunk.
   * @throws ModelCallError where it has nothing for many in a row, or does not answer at all
   */
  async #ask(chunk: PendingText): Promise<readonly string[] | undefined> {
    await this.#options.limiter.admit();
    try {
      const questions = await this.#options.generator.generateQuestions(chunk.texts.join('\n'));
      this.#failuresInARow = 0;
      return questions;
    } catch (error) {
      if (!(error instanceof ModelCallError) || !CHUNK_FAILURES.has(error.failure)) throw error;
      this.#givenUp.add(keyOf(chunk));
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

function keyOf({ id, texts }: PendingText): string {
  return [id, ...texts].join('\n');
}
