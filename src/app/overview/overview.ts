import { type ChunkList, listChunks } from '../../domain/overview/chunk-list.js';
import type { KnownProjects, ProjectDirectories } from '../../ports/project-directories.js';
import type { ChunkListRequest, KnownProjectList } from '../../schemas/overview.js';
import type { Projects } from '../projects/projects.js';

interface OverviewDeps {
  readonly projects: Pick<Projects, 'find'>;
  readonly directories: Pick<ProjectDirectories, 'resolve'>;
  readonly knownProjects: KnownProjects;
}

/** Lists for people. Nothing here counts as a retrieval, and nothing creates a store: without one, there are no chunks. */
export class Overview {
  readonly #deps: OverviewDeps;

  constructor(deps: OverviewDeps) {
    this.#deps = deps;
  }

  /** The projects of this user that may be served, the one opened last first; at most 20. */
  async projects(): Promise<KnownProjectList> {
    const allowed = this.#deps.knownProjects.list().map(async ({ path, usedAt }) => {
      const real = await this.#deps.directories.resolve(path).catch(() => undefined);
      return real === undefined ? [] : [{ projectPath: real, usedAt: usedAt.toISOString() }];
    });
    return { projects: (await Promise.all(allowed)).flat().slice(0, LISTED_PROJECTS_MAX) };
  }

  async list({ projectPath, ...wanted }: ChunkListRequest): Promise<ChunkList> {
    const { order = 'source', limit = 50, offset = 0, sourceType, sourceFile } = wanted;
    const project = await this.#deps.projects.find(projectPath);
    const query = { order, limit, offset, sourceType, sourceFile };
    return listChunks((await project?.store.chunks.entries()) ?? [], query);
  }
}

const LISTED_PROJECTS_MAX = 20;
