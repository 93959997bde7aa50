import type { Clock } from '../../ports/driven/clock.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from '../search/retriever.js';

/** What a measured part needs besides itself. */
export interface Measuring {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Reports each search that another retriever answers. */
export class MeasuredRetriever implements Retriever {
  readonly #retriever: Retriever;
  readonly #measuring: Measuring;

  constructor(retriever: Retriever, measuring: Measuring) {
    this.#retriever = retriever;
    this.#measuring = measuring;
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const { metrics, clock } = this.#measuring;
    const begin = clock.monotonic();
    const retrieved = await this.#retriever.retrieve(project, request);
    const seconds = (clock.monotonic() - begin) / 1000;
    metrics.searched({ mode: retrieved.mode, seconds, candidates: retrieved.ranked.length });
    return retrieved;
  }
}
