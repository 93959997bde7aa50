import type { CitationService, StaleChunk } from '../../ports/driving/citation-service.js';
import { checkArguments } from '../arguments.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type CitationChecking, type CitationReports, noCitationCheck } from './citation-check.js';

interface StaleChunksOptions {
  readonly projects: Projects;
  /** Default: chunks cite nothing. */
  readonly citations?: CitationChecking | undefined;
}

/** Lists the chunks of a project that no longer hold. */
export class StaleChunks implements CitationService {
  readonly #projects: Projects;
  readonly #citations: CitationChecking;

  constructor({ projects, citations = noCitationCheck }: StaleChunksOptions) {
    this.#projects = projects;
    this.#citations = citations;
  }

  async staleChunks(projectPath: string): Promise<readonly StaleChunk[]> {
    checkArguments({ projectPath });
    const { project } = await this.#projects.openForReading(projectPath);
    if (project === undefined) return [];
    const found: StaleChunk[] = [];
    let after: string | undefined;
    do {
      const { reports, next } = await this.#citations.stalePage(project, after);
      found.push(...(await chunksOf(project, reports)));
      after = next;
    } while (after !== undefined);
    return found;
  }
}

async function chunksOf(
  { store }: Project,
  reports: CitationReports,
): Promise<readonly StaleChunk[]> {
  const chunks = await store.chunks.getChunks([...reports.keys()]);
  return chunks.map(({ id, sourceFile, heading }) => ({
    id,
    sourceFile,
    ...(heading !== undefined && { heading }),
    citations: reports.get(id)?.citations ?? [],
  }));
}
