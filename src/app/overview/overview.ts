import { type ChunkList, listChunks } from '../../domain/overview/chunk-list.js';
import { type ChunkSurvey, surveyOf } from '../../domain/overview/chunk-survey.js';
import type {
  ChunkListOptions,
  ChunkMap,
  OverviewService,
} from '../../ports/driving/overview-service.js';
import { checkArguments } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import { chunkMap } from './chunk-map.js';

/** Looks at a store as a whole. */
export class Overview implements OverviewService {
  readonly #projects: Projects;

  constructor(projects: Projects) {
    this.#projects = projects;
  }

  async surveyChunks(projectPath: string): Promise<ChunkSurvey> {
    checkArguments({ projectPath });
    const project = await this.#projects.find(projectPath);
    return surveyOf((await project?.store.chunks.entries()) ?? []);
  }

  async listChunks(projectPath: string, options: ChunkListOptions = {}): Promise<ChunkList> {
    checkArguments({ projectPath, options });
    const { order = 'source', limit = 50, offset = 0, sourceType, sourceFile } = options;
    const query = { order, limit, offset, sourceType, sourceFile };
    checkArguments({}, query);
    const project = await this.#projects.find(projectPath);
    return listChunks((await project?.store.chunks.entries()) ?? [], query);
  }

  async mapChunks(projectPath: string, limit = 1000): Promise<ChunkMap> {
    checkArguments({ projectPath }, { points: limit });
    const project = await this.#projects.find(projectPath);
    return project === undefined ? { total: 0, points: [] } : chunkMap(project, limit);
  }
}
