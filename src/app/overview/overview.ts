import { type ChunkList, listChunks } from '../../domain/overview/chunk-list.js';
import type { ChunkListRequest } from '../../schemas/overview.js';
import type { Projects } from '../projects/projects.js';

/**
 * Lists of a project's chunks, for people. Nothing here counts as a retrieval, and
 * nothing creates a store: without one, there are no chunks.
 */
export class Overview {
  readonly #projects: Pick<Projects, 'find'>;

  constructor({ projects }: { readonly projects: Pick<Projects, 'find'> }) {
    this.#projects = projects;
  }

  async list({ projectPath, ...wanted }: ChunkListRequest): Promise<ChunkList> {
    const { order = 'source', limit = 50, offset = 0, sourceType, sourceFile } = wanted;
    const project = await this.#projects.find(projectPath);
    const query = { order, limit, offset, sourceType, sourceFile };
    return listChunks((await project?.store.chunks.entries()) ?? [], query);
  }
}
