import type { QuestionGenerator } from '../../ports/language-model.js';
import type { Project } from '../project.js';
import { BackgroundLoop, type LoopOptions } from './background-loop.js';
import { CallLimiter } from './call-limiter.js';
import type { Enrichment, ProjectEnrichment } from './enrichment.js';
import { QuestionWork } from './question-work.js';
import { noRefusals } from './refused-texts.js';
import { VectorWork, type VectorWorkOptions } from './vector-work.js';

interface BackgroundEnrichmentOptions extends VectorWorkOptions, LoopOptions {
  readonly generator: QuestionGenerator;
}

/**
 * Embeds the chunks of a project, then generates questions for them, in two loops per project that start each other.
 * All projects share one limit on calls of the language model.
 */
export class BackgroundEnrichment implements Enrichment {
  readonly #options: BackgroundEnrichmentOptions;
  readonly #limiter: CallLimiter;

  constructor(options: BackgroundEnrichmentOptions) {
    this.#options = options;
    this.#limiter = new CallLimiter(options.clock);
  }

  workOn(project: Project): ProjectEnrichment {
    const refusals = noRefusals();
    const onIdle = () => questions.schedule();
    const embedding = new VectorWork(project, { ...this.#options, refused: refusals, onIdle });
    const vectors: BackgroundLoop = new BackgroundLoop(embedding, this.#options);
    const asking = new QuestionWork(project, {
      ...this.#options,
      limiter: this.#limiter,
      refused: refusals.hype,
      onQuestions: () => vectors.schedule(),
    });
    const questions: BackgroundLoop = new BackgroundLoop(asking, this.#options);
    return {
      refusals,
      schedule: () => vectors.schedule(),
      get isRunning() {
        return vectors.isRunning || questions.isRunning;
      },
      get isRetrying() {
        return [vectors, questions].every((loop) => loop.isRetrying || !loop.isRunning);
      },
      stop: async () => {
        await Promise.all([vectors.stop(), questions.stop()]);
      },
    };
  }

  stop(): void {
    this.#limiter.stop();
  }
}
