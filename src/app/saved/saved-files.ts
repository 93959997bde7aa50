import { readFrontmatter } from '../../domain/chunks/frontmatter.js';
import { KnowledgeError } from '../../domain/errors.js';
import {
  documentNames,
  type SavedFile,
  savedFileAt,
  savedFolder,
  savedPath,
} from '../../domain/project-layout.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import { assertIndexable } from './indexable-text.js';

/** A project and, if known, its application directory. Finding the directory takes as long as reading a note. */
export interface ProjectFolder extends Pick<Project, 'path'> {
  readonly appDir?: string;
}

interface SavedFilesOptions {
  readonly files: ProjectFiles;
  readonly frontmatter: FrontmatterParser;
  readonly appDirs: AppDirectories;
}

interface SavedContent {
  readonly text: string;
  readonly hash: string;
  /** Version of the file, for {@link SavedFiles.replace}. */
  readonly fileVersion: string;
  /** Parsed and unchecked; undefined if the file has none. */
  readonly frontmatter: unknown;
  readonly body: string;
}

/** A file to create under a free name. */
interface UnnamedFile {
  readonly sourceType: SavedFile['sourceType'];
  readonly text: string;
  /** Returns a free name; called again if another writer takes it first. */
  readonly choose: (taken: readonly string[]) => string | Promise<string>;
}

export interface SavedSource {
  readonly sourceFile: string;
  /** Number of the source's chunks in the index. */
  readonly chunks: number;
}

/**
 * Writes and deletes the files of notes, web pages, digests and documents. The files are authoritative, and the index
 * follows at once: a keyword search finds the text as soon as a method returns.
 *
 * Every method may throw KnowledgeError `path_not_allowed` (the path leads through a link), `storage_full` and
 * `store_unavailable`; methods that write also `invalid_request` (the text is too large to index).
 */
export class SavedFiles {
  readonly #options: SavedFilesOptions;

  constructor(options: SavedFilesOptions) {
    this.#options = options;
  }

  async names(
    project: Pick<Project, 'path'>,
    sourceType: SavedFile['sourceType'],
  ): Promise<readonly string[]> {
    const { files, appDirs } = this.#options;
    const appDir = appDirs.of(project.path);
    const folder = savedFolder(appDir, sourceType);
    if (sourceType !== 'manual') {
      return documentNames((await files.listFolder(project.path, folder)).paths);
    }
    const { paths } = await files.listBelow(project.path, folder);
    return paths.flatMap((path) => savedFileAt(appDir, path)?.name ?? []);
  }

  /** Reads a file; undefined if it does not exist or is not readable. */
  async read(project: ProjectFolder, file: SavedFile): Promise<SavedContent | undefined> {
    const { files, frontmatter } = this.#options;
    const path = this.toPath(project, file);
    const reading = await files.readText(project.path, path);
    if (reading === undefined || 'skipped' in reading) return undefined;
    const { text, hash, version: fileVersion } = reading;
    const { value, body } = readFrontmatter(text, (yaml) => frontmatter.parse(yaml, path));
    return { text, hash, fileVersion, body, frontmatter: value };
  }

  /** Whether the file exists, readable or not. */
  async exists(project: Pick<Project, 'path'>, file: SavedFile): Promise<boolean> {
    return (
      (await this.#options.files.statOf(project.path, this.toPath(project, file))) !== undefined
    );
  }

  /** Writes a new file. Returns undefined, and writes nothing, if it already exists. */
  async create(
    project: OpenProject,
    file: SavedFile,
    text: string,
  ): Promise<SavedSource | undefined> {
    const { files } = this.#options;
    const path = this.toPath(project, file);
    assertIndexable(text);
    if (!(await files.createText(project.path, path, text))) return undefined;
    const created = await files.statOf(project.path, path).catch(() => undefined);
    try {
      return await this.index(project, file);
    } catch (error) {
      // Removes the file after a failure, so that a retry does not find the name taken by the first attempt.
      const isOurs =
        created !== undefined &&
        'version' in created &&
        files.isStill(project.path, path, created.version);
      if (isOurs) await files.deleteFile(project.path, path).catch(() => false);
      throw error;
    }
  }

  /**
   * Writes a new file under the first name from `choose` that is free.
   * @throws KnowledgeError `store_unavailable` if other writers keep taking the names
   */
  async createUnderFreeName(
    project: OpenProject,
    { sourceType, text, choose }: UnnamedFile,
  ): Promise<SavedSource & Pick<SavedFile, 'name'>> {
    const taken = [...(await this.names(project, sourceType))];
    for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt += 1) {
      const name = await choose(taken);
      const created = await this.create(project, { sourceType, name }, text);
      if (created !== undefined) return { name, ...created };
      taken.push(name);
    }
    throw new KnowledgeError(
      'store_unavailable',
      'Other files are being saved under the same name; try again shortly.',
    );
  }

  async write(project: OpenProject, file: SavedFile, text: string): Promise<SavedSource> {
    assertIndexable(text);
    await this.#options.files.writeText(project.path, this.toPath(project, file), text);
    return this.index(project, file);
  }

  /** Writes a file if it still has this version. Otherwise returns undefined and writes nothing. */
  async replace(
    project: OpenProject,
    file: SavedFile,
    { text, fileVersion }: Pick<SavedContent, 'text' | 'fileVersion'>,
  ): Promise<SavedSource | undefined> {
    assertIndexable(text);
    const replacement = { text, expectedVersion: fileVersion };
    const path = this.toPath(project, file);
    const isWritten = await this.#options.files.replaceText(project.path, path, replacement);
    return isWritten ? this.index(project, file) : undefined;
  }

  /** When the file was last changed; undefined if it is missing or unreadable. */
  async modifiedAt(project: ProjectFolder, file: SavedFile): Promise<Date | undefined> {
    const stat = await this.#options.files.statOf(project.path, this.toPath(project, file));
    return stat === undefined || 'skipped' in stat ? undefined : stat.modifiedAt;
  }

  /** Brings the index up to date with an existing file. */
  async index(project: OpenProject, file: SavedFile): Promise<SavedSource> {
    const sourceFile = this.toPath(project, file);
    const { chunks } = await project.ingestFile(sourceFile);
    return { sourceFile, chunks };
  }

  /** Deletes a file and its chunks. Returns the number of chunks; undefined if there is no such file. */
  async delete(project: OpenProject, file: SavedFile): Promise<number | undefined> {
    const sourceFile = this.toPath(project, file);
    const indexed = await project.store.chunks.indexedSources();
    if (!(await this.#options.files.deleteFile(project.path, sourceFile))) return undefined;
    await project.ingestFile(sourceFile);
    return indexed.find((source) => source.sourceFile === sourceFile)?.chunkCount ?? 0;
  }

  /** The saved file at a path; undefined for any other source. */
  fileAt({ path }: Pick<Project, 'path'>, sourceFile: string): SavedFile | undefined {
    return savedFileAt(this.#options.appDirs.of(path), sourceFile);
  }

  toPath({ path, appDir }: ProjectFolder, file: SavedFile): string {
    return savedPath(appDir ?? this.#options.appDirs.of(path), file);
  }

  /** Adds the application directory to a project, for work on many files. */
  withFolder({ path }: Pick<Project, 'path'>): ProjectFolder {
    return { path, appDir: this.#options.appDirs.of(path) };
  }
}

const CREATE_ATTEMPTS = 10;
