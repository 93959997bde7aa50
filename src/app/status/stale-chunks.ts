import { citationReport } from '../../domain/citations/citation.js';
import type { StaleChunks as Stale } from '../../schemas/sources.js';
import type { ProjectRequest } from '../project.js';
import type { Projects } from '../projects/projects.js';
import { nearestHeadings } from '../sources/chunk-titles.js';

interface StaleChunksDeps {
  readonly projects: Pick<Projects, 'find'>;
}

/** Lists chunks whose cited files have changed or are gone (docs/specification.md, "Citations"). */
export class StaleChunks {
  readonly #deps: StaleChunksDeps;

  constructor(deps: StaleChunksDeps) {
    this.#deps = deps;
  }

  /** All stale chunks according to the stored verdicts, sorted by id. Creates nothing. */
  async list({ projectPath }: ProjectRequest): Promise<Stale['chunks']> {
    const project = await this.#deps.projects.find(projectPath);
    if (project === undefined) return [];
    await project.prepareSearch();
    const stale = new Map(
      (await project.store.citations.find('stale')).map((one) => [one.chunkId, one]),
    );
    const ids = [...stale.keys()];
    const chunks = await project.store.chunks.getChunks(ids);
    const titles = await nearestHeadings(project, ids);
    return chunks.map(({ id, sourceFile, heading }) => {
      const { citations: stored = [], citedAt = '' } = stale.get(id) ?? {};
      const { citations = [] } = citationReport(stored, citedAt);
      const title = titles.get(id);
      const named = {
        ...(heading !== undefined && { heading }),
        ...(title !== undefined && { title }),
      };
      return { id, sourceFile, ...named, citations };
    });
  }
}
