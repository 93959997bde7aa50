import { type SourceType, sourceOfId } from '../../domain/chunks/chunk.js';
import { KnowledgeError } from '../../domain/errors.js';
import { oneLine } from '../../domain/lessons/lesson-text.js';
import { type SourceSummary, summarizeSources } from '../../domain/overview/chunk-list.js';
import { savedFileAt } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/app-directories.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import type {
  ChunkDetails,
  LineRange,
  SourceDeletion,
  SourceLines,
  SourceOverview,
  SourceReport,
  SourcesService,
} from '../../ports/driving/sources-service.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { SettingsSource } from '../../ports/settings-source.js';
import { checkArguments } from '../arguments.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import { eventLoop } from '../ingestion/in-batches.js';
import type { Source } from '../ingestion/source.js';
import type { SourceReader } from '../ingestion/source-reader.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import type { SavedFiles } from '../saved/saved-files.js';
import { chunkDetails } from './chunk-details.js';
import { linesIn, linesOfChunks, textOf, textOfChunks } from './source-lines.js';

interface SourcesOptions {
  readonly projects: Projects;
  readonly files: ProjectFileReader;
  readonly settings: SettingsSource;
  /** Lists the sources that a project has now. */
  readonly reader: SourceReader;
  readonly saved: SavedFiles;
  readonly appDirs: AppDirectories;
  readonly citations: Pick<CitationJudging, 'reports'>;
}

/** Shows and deletes sources (docs/specification.md, "Knowledge in"). */
export class Sources implements SourcesService {
  readonly #options: SourcesOptions;

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  async listSources(projectPath: string, sourceType?: SourceType): Promise<SourceOverview> {
    checkArguments({ projectPath }, { sourceType });
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) return { sources: [], skipped: [] };
    const isWanted = (source: { readonly sourceType: SourceType }) =>
      sourceType === undefined || source.sourceType === sourceType;
    const { chunks } = project.store;
    const stored = summarizeSources(await chunks.entries(), await chunks.indexedSources());
    const sources = await oneByOne(stored.filter(isWanted), (source) =>
      this.#report(project, source),
    );
    const listing = await this.#present(project);
    const readings = await oneByOne(listing.sources.filter(isWanted), skippedSource);
    const patterns = isWanted({ sourceType: 'file' }) ? listing.skipped : [];
    return { sources, skipped: [...patterns, ...readings.flat()] };
  }

  async readLines(
    projectPath: string,
    sourceFile: string,
    range: LineRange = {},
  ): Promise<SourceLines> {
    checkArguments({ projectPath, sourceFile });
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) throw nothingIndexed();
    const file = await storedPath(project, sourceFile);
    if (file === undefined) throw unknownSource(sourceFile);
    const text = await textOf(this.#options.files, project, file);
    return linesIn(text ?? (await textOfChunks(project, file)), file, range);
  }

  async linesOf(
    projectPath: string,
    ids: readonly string[],
  ): Promise<readonly (number | undefined)[]> {
    checkArguments({ projectPath });
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) return ids.map(() => undefined);
    return linesOfChunks(this.#options, project, ids);
  }

  async getChunk(projectPath: string, chunkId: string): Promise<ChunkDetails> {
    checkArguments({ projectPath, chunkId });
    const project = await this.#options.projects.find(projectPath);
    const details = project && (await detailsOf(project, chunkId));
    if (project === undefined || details === undefined) throw noChunk();
    const { id } = details.chunk;
    const reports = await this.#options.citations.reports(project, [id]);
    return { ...details, ...reports.get(id) };
  }

  async deleteSource(projectPath: string, sourceFile: string): Promise<SourceDeletion> {
    checkArguments({ projectPath, sourceFile });
    const { projects, saved, appDirs } = this.#options;
    const project = await projects.open(projectPath);
    const file = savedFileAt(appDirs.of(project.path), sourceFile);
    const indexed = await project.store.chunks.indexedSources();
    const known = indexed.find((source) => source.sourceFile === sourceFile);
    const deletedWithFile = file && (await saved.delete(project, file));
    if (deletedWithFile !== undefined) return { deleted: deletedWithFile };
    if (known === undefined) throw unknownSource(sourceFile);
    await project.store.chunks.replaceSources([{ sourceFile, document: undefined }]);
    const { sources } = await this.#present(project);
    const returns = sources.some((source) => source.sourceFile === sourceFile);
    return { deleted: known.chunkCount, ...(returns && { returns }) };
  }

  async #report(
    { path }: Project,
    { lastUpdated, ...source }: SourceSummary,
  ): Promise<SourceReport> {
    const stat = await this.#options.files.statOf(path, source.sourceFile);
    const bytes = stat === undefined || 'skipped' in stat ? 0 : stat.bytes;
    return { ...source, bytes, ...(lastUpdated !== undefined && { indexedAt: lastUpdated }) };
  }

  async #present(project: Project) {
    const { reader, settings } = this.#options;
    return reader.list(project.path, await settings.read(project.path));
  }
}

/** The path of a source as the store has it, for one that was shown without characters that nobody sees. */
async function storedPath({ store }: Project, shown: string): Promise<string | undefined> {
  const indexed = (await store.chunks.indexedSources()).map(({ sourceFile }) => sourceFile);
  if (indexed.includes(shown)) return shown;
  const entries = await store.chunks.entries();
  const paths = [...indexed, ...entries.map(({ sourceFile }) => sourceFile)];
  return paths.includes(shown) ? shown : paths.find((path) => oneLine(path) === oneLine(shown));
}

/** Also of a chunk whose id was shown without characters that nobody sees. */
async function detailsOf(project: Project, id: string): Promise<ChunkDetails | undefined> {
  const details = await chunkDetails(project, id);
  if (details !== undefined) return details;
  const path = await storedPath(project, sourceOfId(id));
  return path === undefined
    ? undefined
    : chunkDetails(project, path + id.slice(id.lastIndexOf('#')));
}

async function oneByOne<T, U>(
  items: readonly T[],
  work: (item: T) => Promise<U>,
): Promise<readonly U[]> {
  const results: U[] = [];
  for (const item of items) {
    await eventLoop();
    results.push(await work(item));
  }
  return results;
}

async function skippedSource(source: Source): Promise<readonly SkippedSource[]> {
  const reading = (await source.known()) ?? (await source.read());
  if (reading === undefined || !('skipped' in reading)) return [];
  return [{ sourceFile: source.sourceFile, reason: reading.skipped }];
}

function nothingIndexed(): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    'Nothing is indexed in this project yet; ingest it first.',
  );
}

function unknownSource(sourceFile: string): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `This service has indexed no source "${sourceFile}" in the project.`,
  );
}

function noChunk(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no chunk with this id in the project.');
}
