import { citationReport } from '../../domain/citations/citation-report.js';
import type { CitationService } from '../../ports/driving/citation-service.js';
import { checkArguments } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import type { SourceSync } from '../watch/source-sync.js';

/** Lists the chunks of projects that no longer hold, by the stored verdicts. */
export function createCitationService(
  projects: Projects,
  sync: Pick<SourceSync, 'prepareSearch'>,
): CitationService {
  return {
    staleChunks: async (projectPath) => {
      checkArguments({ projectPath });
      const project = await projects.find(projectPath);
      if (project === undefined) return [];
      await sync.prepareSearch(project);
      const stale = new Map(
        (await project.store.citations.stale()).map((one) => [one.chunkId, one]),
      );
      const chunks = await project.store.chunks.getChunks([...stale.keys()]);
      return chunks.map(({ id, sourceFile, heading }) => {
        const { citations: stored = [], citedAt = '' } = stale.get(id) ?? {};
        const { citations = [] } = citationReport(stored, citedAt);
        return { id, sourceFile, ...(heading !== undefined && { heading }), citations };
      });
    },
  };
}
