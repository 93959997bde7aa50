import type { QuestionGenerator } from '../../ports/language-model.js';
import type { Project } from '../project.js';
import { BackgroundLoop, type LoopOptions } from './background-loop.js';
import { CallLimiter } from './call-limiter.js';
import type { Enrichment } from './enrichment.js';
import { QuestionWork } from './question-work.js';
import { noRefusals, type Refusals } from './refused-texts.js';
import { VectorWork, type VectorWorkOptions } from './vector-work.js';

interface BackgroundEnrichmentOptions extends VectorWorkOptions, LoopOptions {
  readonly generator: QuestionGenerator;
}

/**
 * Embeds the chunks of every project that is used and, once they have their vectors, has questions
 * generated for them: two loops per project, which start each other.
 */
export class BackgroundEnrichment implements Enrichment {
  readonly #options: BackgroundEnrichmentOptions;
  readonly #limiter: CallLimiter;
  readonly #works = new Map<string, ProjectWork>();
  #isStopped = false;

  constructor(options: BackgroundEnrichmentOptions) {
    this.#options = options;
    this.#limiter = new CallLimiter(options.clock);
  }

  schedule(project: Project): void {
    if (this.#isStopped) return;
    this.#workOf(project).vectors.schedule();
  }

  isWorking(projectPath: string): boolean {
    const work = this.#works.get(projectPath);
    return work !== undefined && (work.vectors.isRunning || work.questions.isRunning);
  }

  refusals(projectPath: string): Refusals {
    return this.#works.get(projectPath)?.refused ?? noRefusals();
  }

  async release(projectPath: string): Promise<void> {
    const work = this.#works.get(projectPath);
    this.#works.delete(projectPath);
    if (work !== undefined) await stopWork(work);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#limiter.stop();
    await Promise.all([...this.#works.values()].map(stopWork));
  }

  /** A project whose store was opened again gets new loops. */
  #workOf(project: Project): ProjectWork {
    const known = this.#works.get(project.path);
    if (known?.project.store === project.store) return known;
    if (known !== undefined) void stopWork(known);
    const work = this.#startWork(project);
    this.#works.set(project.path, work);
    return work;
  }

  #startWork(project: Project): ProjectWork {
    const refused = noRefusals();
    const onIdle = () => questions.schedule();
    const embedding = new VectorWork(project, { ...this.#options, refused, onIdle });
    const vectors: BackgroundLoop = new BackgroundLoop(embedding, this.#options);
    const asking = new QuestionWork(project, {
      ...this.#options,
      limiter: this.#limiter,
      refused: refused.hype,
      onQuestions: () => vectors.schedule(),
    });
    const questions: BackgroundLoop = new BackgroundLoop(asking, this.#options);
    return { project, vectors, questions, refused };
  }
}

interface ProjectWork {
  readonly project: Project;
  readonly vectors: BackgroundLoop;
  readonly questions: BackgroundLoop;
  readonly refused: Refusals;
}

async function stopWork({ vectors, questions }: ProjectWork): Promise<void> {
  await Promise.all([vectors.stop(), questions.stop()]);
}
