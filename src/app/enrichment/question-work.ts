import { ModelCallError } from '../../domain/errors.js';
import type { Logger } from '../../ports/logger.js';
import type { QuestionGenerator } from '../../ports/question-generator.js';
import type { Project } from '../project.js';
import type { BackgroundWork, StepOutcome } from './background-loop.js';

export interface QuestionWorkPorts {
  readonly generator: QuestionGenerator;
  readonly logger: Logger;
}

/** Asks the language model which questions each chunk answers, one chunk a step (specification, "HyPE"). */
export class QuestionWork implements BackgroundWork {
  readonly name = 'questions';
  readonly #project: Project;
  readonly #ports: QuestionWorkPorts;
  readonly #onQuestions: () => void;
  /** Chunks whose answers could not be used; they are tried again after a restart. */
  readonly #givenUp = new Set<string>();

  /** `onQuestions` is called when a chunk has questions that wait for their vector. */
  constructor(project: Project, ports: QuestionWorkPorts, onQuestions: () => void) {
    this.#project = project;
    this.#ports = ports;
    this.#onQuestions = onQuestions;
  }

  get leases() {
    return this.#project.store.leases;
  }

  async step(): Promise<StepOutcome> {
    const { chunks } = this.#project.store;
    if (!this.#ports.generator.isAvailable()) return 'idle';
    const candidates = await chunks.findWithoutQuestions(this.#givenUp.size + 1);
    const chunk = candidates.find(({ id }) => !this.#givenUp.has(id));
    if (chunk === undefined) return 'idle';
    const questions = await this.#ask(chunk.id, chunk.text);
    if (questions !== undefined) {
      await chunks.saveQuestions(chunk, questions);
      this.#onQuestions();
    }
    return 'worked';
  }

  /** Undefined where the answer was no three questions. */
  async #ask(id: string, text: string): Promise<readonly string[] | undefined> {
    try {
      return await this.#ports.generator.generateQuestions(text);
    } catch (error) {
      if (!(error instanceof ModelCallError) || error.failure !== 'unusable') throw error;
      this.#givenUp.add(id);
      this.#ports.logger.warn('The questions for a chunk could not be used.', { chunk: id });
      return undefined;
    }
  }
}
