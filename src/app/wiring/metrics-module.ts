import { ContainerModule } from 'inversify';
import type { Metrics } from '../../ports/driven/metrics.js';
import {
  measuredLessons,
  measuredQuestions,
  measuredRetriever,
  measuredSummarizer,
} from './measured.js';
import { PORTS, RETRY_LISTENER, VARIANT_PARTS } from './tokens.js';

/**
 * Wraps what is worth measuring; nothing that is wrapped knows it. The embedder is measured by the process that hosts it.
 */
export function metricsModule(metrics: Metrics): ContainerModule {
  return new ContainerModule(({ onActivation }) => {
    onActivation(RETRY_LISTENER, () => (work) => metrics.retried(work));
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
        retriever: measuredRetriever(parts.retriever, measuring),
        textRetriever: measuredRetriever(parts.textRetriever, measuring),
        onAnswer: ({ retrievalMode: mode, results }) =>
          metrics.answered({ mode, results: results.length }),
      };
    });
  });
}
