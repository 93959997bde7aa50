import { type ChunkList, listChunks } from '../../domain/overview/chunk-list.js';
import { type ChunkSurvey, surveyOf } from '../../domain/overview/chunk-survey.js';
import type { ChunkListRequest } from '../../schemas/overview.js';
import type { ProjectRequest } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';

/**
 * Figures and lists of a project's store, for people. Nothing here counts as a retrieval, and
 * nothing creates a store: without one, there are no chunks.
 */
export class Overview {
  readonly #projects: Pick<Projects, 'find'>;

  constructor({ projects }: { readonly projects: Pick<Projects, 'find'> }) {
    this.#projects = projects;
  }

  /** Counts over all chunks. Tokens are counted in characters, so texts with characters beyond U+FFFF may count for less. */
  async survey({ projectPath }: ProjectRequest): Promise<ChunkSurvey> {
    const project = await this.#projects.find(projectPath);
    return surveyOf((await project?.store.chunks.entries()) ?? []);
  }

  /** One page of the chunks in an order. */
  async list({ projectPath, ...wanted }: ChunkListRequest): Promise<ChunkList> {
    const { order = 'source', limit = 50, offset = 0, sourceType, sourceFile } = wanted;
    const project = await this.#projects.find(projectPath);
    const query = { order, limit, offset, sourceType, sourceFile };
    return listChunks((await project?.store.chunks.entries()) ?? [], query);
  }
}
