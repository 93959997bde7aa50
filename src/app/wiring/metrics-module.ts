import { ContainerModule } from 'inversify';
import type { Metrics } from '../../ports/driven/metrics.js';
import {
  measuredEmbedder,
  measuredLessons,
  measuredQuestions,
  measuredSummarizer,
} from '../measured/measured-model.js';
import { MeasuredRetriever } from '../measured/measured-retriever.js';
import { ActiveStores } from '../projects/active-stores.js';
import { PORTS, RETRY_LISTENER, VARIANT_PARTS } from './tokens.js';

export interface MetricsParts {
  readonly metrics: Metrics;
  /** Receives the stores, which are counted from then on. */
  readonly counted: (stores: ActiveStores) => void;
}

/** Wraps what is worth measuring; nothing that is wrapped knows it. */
export function metricsModule({ metrics, counted }: MetricsParts): ContainerModule {
  return new ContainerModule(({ onActivation }) => {
    onActivation(RETRY_LISTENER, () => (work) => metrics.retried(work));
    onActivation(PORTS.stores, ({ get }, stores) => {
      const [clock, embedder] = [get(PORTS.clock), get(PORTS.embedder)];
      const active = new ActiveStores(stores, { clock, embedder, questions: get(PORTS.questions) });
      counted(active);
      return active;
    });
    onActivation(PORTS.embedder, ({ get }, embedder) =>
      measuredEmbedder(embedder, { metrics, clock: get(PORTS.clock) }),
    );
    onActivation(PORTS.questions, ({ get }, questions) =>
      measuredQuestions(questions, { metrics, clock: get(PORTS.clock) }),
    );
    onActivation(PORTS.summarizer, ({ get }, summarizer) =>
      measuredSummarizer(summarizer, { metrics, clock: get(PORTS.clock) }),
    );
    onActivation(PORTS.lessons, ({ get }, lessons) =>
      measuredLessons(lessons, { metrics, clock: get(PORTS.clock) }),
    );
    onActivation(VARIANT_PARTS, ({ get }, parts) => {
      const measuring = { metrics, clock: get(PORTS.clock) };
      return {
        ...parts,
        retriever: new MeasuredRetriever(parts.retriever, measuring),
        textRetriever: new MeasuredRetriever(parts.textRetriever, measuring),
        onAnswer: ({ retrievalMode: mode, results }) =>
          metrics.answered({ mode, results: results.length }),
      };
    });
  });
}
