import type { SearchAnswer } from '../../domain/search.js';
import type { StaleChunks } from '../../domain/settings.js';
import { type CitationChecking, noCitationCheck } from '../citations/citation-check.js';
import type { Project } from '../projects/project.js';
import type { Retrieved } from './retriever.js';

/** What the chunks of one search cite. */
interface FoundCitations {
  /** In the order that the setting asks for. */
  ordered(retrieved: Retrieved, staleChunks: StaleChunks): Promise<Retrieved>;
  /** With what has become of the citations of each result. */
  told(answer: SearchAnswer): Promise<SearchAnswer>;
}

export function citationsIn(
  project: Project,
  checking: CitationChecking = noCitationCheck,
): FoundCitations {
  return {
    async ordered(retrieved, staleChunks) {
      if (staleChunks === 'show') return retrieved;
      const ids = retrieved.ranked.map(({ chunk }) => chunk.id);
      const reports = await checking.reports(project, ids);
      const isStale = (id: string) => reports.get(id)?.stale === true;
      const holding = retrieved.ranked.filter(({ chunk }) => !isStale(chunk.id));
      const stale = retrieved.ranked.filter(({ chunk }) => isStale(chunk.id));
      return { ...retrieved, ranked: staleChunks === 'last' ? [...holding, ...stale] : holding };
    },
    async told(answer) {
      const ids = answer.results.map(({ chunk }) => chunk.id);
      const reports = await checking.reports(project, ids);
      if (reports.size === 0) return answer;
      const { explanation } = answer;
      return {
        ...answer,
        results: answer.results.map((result) => ({ ...result, ...reports.get(result.chunk.id) })),
        explanation: {
          ...explanation,
          results: explanation.results.map((trace) => ({ ...trace, ...reports.get(trace.id) })),
        },
      };
    },
  };
}
