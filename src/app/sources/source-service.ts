import type { SourceType } from '../../domain/chunks/chunk.js';
import { KnowledgeError } from '../../domain/errors.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type {
  ChunkDetails,
  LineRange,
  SourceContent,
  SourceDeletion,
  SourceLines,
  SourceOverview,
  SourceReport,
  SourcesService,
} from '../../ports/driving/sources-service.js';
import { checkArguments } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import { chunkDetails } from './chunk-details.js';
import { linesOfChunks, linesOfSource, textOf } from './source-lines.js';
import type { Sources } from './sources.js';

export interface SourceServiceParts {
  readonly projects: Projects;
  readonly sources: Sources;
  readonly files: Pick<ProjectFileReader, 'readText'>;
}

/** Checks the arguments of each method, opens the project and calls the use case. */
export class SourceService implements SourcesService {
  readonly #parts: SourceServiceParts;

  constructor(parts: SourceServiceParts) {
    this.#parts = parts;
  }

  async listSources(projectPath: string, sourceType?: SourceType): Promise<SourceOverview> {
    checkArguments({ projectPath }, { sourceType });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    if (project === undefined) return { sources: [], skipped: [] };
    return this.#parts.sources.list(project, sourceType);
  }

  async indexedSources(projectPath: string): Promise<readonly SourceReport[]> {
    checkArguments({ projectPath });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    return project === undefined ? [] : this.#parts.sources.indexed(project);
  }

  async readSource(projectPath: string, sourceFile: string): Promise<SourceContent> {
    checkArguments({ projectPath, sourceFile });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    if (project !== undefined) return this.#parts.sources.read(project, sourceFile);
    throw nothingIndexed();
  }

  async deleteSource(projectPath: string, sourceFile: string): Promise<SourceDeletion> {
    checkArguments({ projectPath, sourceFile });
    return this.#parts.sources.delete(await this.#parts.projects.open(projectPath), sourceFile);
  }

  async readLines(
    projectPath: string,
    sourceFile: string,
    range: LineRange = {},
  ): Promise<SourceLines> {
    checkArguments({ projectPath, sourceFile });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    if (project === undefined) throw nothingIndexed();
    const source = await this.#parts.sources.read(project, sourceFile);
    return linesOfSource(await textOf(this.#parts.files, project, sourceFile), source, range);
  }

  async linesOf(
    projectPath: string,
    ids: readonly string[],
  ): Promise<readonly (number | undefined)[]> {
    checkArguments({ projectPath });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    if (project === undefined) return ids.map(() => undefined);
    return linesOfChunks(this.#parts.files, project, ids);
  }

  async getChunk(projectPath: string, chunkId: string): Promise<ChunkDetails> {
    checkArguments({ projectPath, chunkId });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    const details = project && (await chunkDetails(project, chunkId));
    if (details !== undefined) return details;
    throw new KnowledgeError('not_found', 'There is no chunk with this id in the project.');
  }
}

function nothingIndexed(): KnowledgeError {
  return new KnowledgeError('not_found', 'Nothing is indexed in this project.');
}
