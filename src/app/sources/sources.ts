import type { Chunk, SourceType } from '../../domain/chunks/chunk.js';
import { KnowledgeError } from '../../domain/errors.js';
import { type SourceSummary, summarizeSources } from '../../domain/overview/chunk-list.js';
import { savedFileAt } from '../../domain/project-layout.js';
import { findState } from '../../domain/saved/note-record.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader, SettingsSource } from '../../ports/project-files.js';
import type {
  ChunkRequest,
  DeleteSourceRequest,
  LinesRequest,
  PlacesRequest,
  SourceDeletion,
  SourceLines,
  SourceOverview,
  SourcesRequest,
} from '../../schemas/sources.js';
import { oneByOne } from '../../shared/in-batches.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { SourceReader } from '../ingestion/source-reader.js';
import type { Project } from '../project.js';
import type { Projects } from '../projects/projects.js';
import type { SavedFiles } from '../saved/saved-files.js';
import type { SourceStates } from '../saved/source-states.js';
import { type ChunkDetails, chunkDetails } from './chunk-details.js';
import {
  cutLines,
  noteNamed,
  parsePlace,
  readText,
  sourceWithText,
  storedPath,
  textOfChunks,
} from './source-lines.js';

interface SourcesOptions {
  readonly projects: Projects;
  readonly files: ProjectFileReader;
  readonly settings: SettingsSource;
  /** Lists the sources that the files of a project contain now. */
  readonly reader: SourceReader;
  readonly saved: SavedFiles;
  readonly sourceStates: SourceStates;
  readonly appDirs: AppDirectories;
  readonly citations: Pick<CitationJudging, 'reports'>;
}

/** Shows and deletes sources (docs/specification.md, "Knowledge in"). */
export class Sources {
  readonly #options: SourcesOptions;

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  /**
   * Lists the indexed sources, and skipped and partly read files. Creates nothing; both lists are empty without a
   * store.
   */
  async list(request: SourcesRequest): Promise<SourceOverview> {
    const project = await this.#options.projects.find(request.projectPath);
    if (project === undefined) return { sources: [], skipped: [] };
    const { chunks } = project.store;
    const stored = summarizeSources(await chunks.entries(), await chunks.indexedSources());
    const sources = await oneByOne(stored.filter(isOfType(request)), (source) =>
      this.#report(project, source),
    );
    return { sources, skipped: await this.skipped(request) };
  }

  /** Lists skipped and partly read files, as `list` does, but does not read the index. */
  async skipped(request: SourcesRequest): Promise<SourceOverview['skipped']> {
    const project = await this.#options.projects.find(request.projectPath);
    if (project === undefined) return [];
    const isWanted = isOfType(request);
    const listing = await this.#present(project);
    const readings = await oneByOne(listing.sources.filter(isWanted), (source) =>
      source.problems(),
    );
    const patterns = isWanted({ sourceType: 'file' }) ? listing.skipped : [];
    return [...patterns, ...readings.flat()];
  }

  /**
   * Returns lines of the current file of a source, by its path or, for a note, by its id. Without a file, returns lines
   * of its first 500 chunks. `sourceFile` may end with the lines, as in `path:12-20`. Does not count as a retrieval.
   * @throws KnowledgeError `not_found` for a source that is not in the index, and for lines that it does not have
   */
  async lines({ projectPath, sourceFile, ...lines }: LinesRequest): Promise<SourceLines> {
    const { projects, files, appDirs } = this.#options;
    const project = await projects.find(projectPath);
    if (project === undefined)
      throw notFound('Nothing is indexed in this project yet; ingest it first.');
    const whole = await storedPath(project, sourceFile);
    const place = whole === undefined ? parsePlace(sourceFile) : { path: whole };
    const file =
      whole ??
      (await storedPath(project, place.path)) ??
      (await sourceWithText(files, project, place.path)) ??
      (await noteNamed(project, appDirs.of(project.path), place.path));
    if (file === undefined) throw unknownSource(place.path);
    const text = await readText(files, project, file);
    const shown = text ?? (await textOfChunks(project, file));
    const states = await this.#options.sourceStates.find(project, [file]);
    return { ...cutLines(shown, { file, ...place, ...lines }), ...states.get(file) };
  }

  /**
   * The lines, counted from 1, on which chunks began in their files when indexed, in the order of `ids`; undefined for
   * a chunk that does not exist or was written by another program.
   */
  async findLines({ projectPath, ids }: PlacesRequest): Promise<readonly (number | undefined)[]> {
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) return ids.map(() => undefined);
    const lines = await project.store.chunks.findLines(ids);
    return ids.map((id) => lines.get(id));
  }

  /** Adds the lines on which the chunks of results begin, if known, as found by `findLines`. */
  async located<Result extends { readonly chunk: Chunk }>(
    projectPath: string,
    results: readonly Result[],
  ): Promise<readonly (Result & { readonly line?: number | undefined })[]> {
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) return results;
    const lines = await project.store.chunks.findLines(results.map(({ chunk }) => chunk.id));
    return results.map((result) => ({ ...result, line: lines.get(result.chunk.id) }));
  }

  /**
   * One chunk. Does not count as a retrieval.
   * @throws KnowledgeError `not_found`
   */
  async chunk({ projectPath, id: wanted }: ChunkRequest): Promise<ChunkDetails> {
    const project = await this.#options.projects.find(projectPath);
    const details = project && (await chunkDetails(project, wanted));
    if (project === undefined || details === undefined) {
      throw notFound('There is no chunk with this id in the project; a search shows the ids.');
    }
    const { id, sourceFile } = details.chunk;
    const reports = await this.#options.citations.reports(project, [id]);
    const line = (await project.store.chunks.findLines([id])).get(id);
    const states = await this.#options.sourceStates.find(project, [sourceFile]);
    const located = { ...details, ...(line !== undefined && { line }) };
    return { ...located, ...reports.get(id), ...findState(details.chunk, states) };
  }

  /**
   * Deletes the chunks of a source, and the file of a note, a web page, a digest or a document.
   * @throws KnowledgeError `not_found` for a source that this service did not index
   */
  async delete({ projectPath, sourceFile }: DeleteSourceRequest): Promise<SourceDeletion> {
    const { projects, files, saved, appDirs } = this.#options;
    const project = await projects.openWhere(projectPath, ({ path }) =>
      files.exists(path, sourceFile),
    );
    if (project === undefined) throw unknownSource(sourceFile);
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

  async #report({ path }: Project, { lastUpdated, ...source }: SourceSummary) {
    const stat = await this.#options.files.statOf(path, source.sourceFile);
    const bytes = stat === undefined || 'skipped' in stat ? 0 : stat.bytes;
    return { ...source, bytes, ...(lastUpdated !== undefined && { indexedAt: lastUpdated }) };
  }

  async #present(project: Project) {
    const { reader, settings } = this.#options;
    return reader.list(project.path, await settings.read(project.path));
  }
}

function isOfType({ sourceType: wanted }: SourcesRequest) {
  return ({ sourceType }: { readonly sourceType: SourceType }) =>
    wanted === undefined || sourceType === wanted;
}

function unknownSource(sourceFile: string): KnowledgeError {
  return notFound(
    `"${sourceFile}" is not indexed in this project. The list of sources shows what is.`,
  );
}

function notFound(sentence: string): KnowledgeError {
  return new KnowledgeError('not_found', sentence);
}
