import { tokenCost } from '../../domain/chunks/tokens.js';
import { TopList } from '../../domain/overview/chunk-list.js';
import { type ChunkSurvey, SurveyCounter } from '../../domain/overview/chunk-survey.js';
import type { ChunkRecord } from '../../domain/transfer/records.js';
import type {
  ChunkEntry,
  ChunkList,
  ChunkListOptions,
  ChunkMap,
  OverviewService,
} from '../../ports/driving/overview-service.js';
import { checkArguments } from '../arguments.js';
import type { Project } from '../projects/project.js';
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
    const survey = new SurveyCounter();
    await this.#each(projectPath, (record) => survey.add(record));
    return survey.result();
  }

  async listChunks(projectPath: string, options: ChunkListOptions = {}): Promise<ChunkList> {
    const { order = 'source', limit = 50, offset = 0, sourceType, sourceFile } = options;
    checkArguments({ projectPath }, { order, limit, offset, sourceType, sourceFile });
    const list = new TopList<ListedChunk>(order, offset + limit);
    await this.#each(projectPath, (record) => {
      const { chunk } = record;
      if (sourceType !== undefined && chunk.sourceType !== sourceType) return;
      if (sourceFile !== undefined && chunk.sourceFile !== sourceFile) return;
      list.add(listed(record));
    });
    const chunks = list.from(offset).map(({ chunkIndex: _, ...entry }) => entry);
    return { total: list.total, chunks };
  }

  async mapChunks(projectPath: string, limit = 1000): Promise<ChunkMap> {
    checkArguments({ projectPath }, { points: limit });
    const project = await this.#existing(projectPath);
    return project === undefined ? { total: 0, points: [] } : chunkMap(project, limit);
  }

  async #each(projectPath: string, visit: (record: ChunkRecord) => void): Promise<void> {
    const project = await this.#existing(projectPath);
    for (let after: string | undefined; project !== undefined; ) {
      const { records, next } = await project.store.records.page(after, OVERVIEW_PAGE_CHUNKS);
      for (const record of records) visit(record);
      if (next === undefined) return;
      after = next;
    }
  }

  async #existing(projectPath: string): Promise<Project | undefined> {
    return (await this.#projects.openForReading(projectPath)).project;
  }
}

/** Chunks that are read at once. */
const OVERVIEW_PAGE_CHUNKS = 200;

type ListedChunk = ChunkEntry & { readonly chunkIndex: number };

function listed({ chunk, retrievalCount, lastRetrievedAt }: ChunkRecord): ListedChunk {
  const { id, sourceType, sourceFile, chunkIndex, heading, importance, updatedAt } = chunk;
  return {
    ...{ id, sourceType, sourceFile, chunkIndex, importance, updatedAt },
    ...(heading !== undefined && { heading }),
    tokens: tokenCost(chunk.content),
    retrievals: retrievalCount,
    ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
  };
}
