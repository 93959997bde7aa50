import type { DraftChunk, SourceDocument } from '../../domain/chunks/chunk.js';
import { headOf } from '../../domain/chunks/text.js';
import { type Citation, citationOf } from '../../domain/citations/citation.js';
import { type CitedFile, citedFiles, type FileLookup } from '../../domain/citations/cited-files.js';
import { type Mention, mentionsIn, mentionsInEntries } from '../../domain/citations/mentions.js';
import { NEVER_SEARCHED } from '../../domain/documentation.js';
import { CITED_FILE_MAX_BYTES, EMBEDDED_MAX_CHARACTERS } from '../../domain/limits.js';
import { folderOf, nameOf } from '../../domain/paths.js';
import type { Settings } from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { Project } from '../projects/project.js';

/** Adds to the chunks of a document what they cite. */
export type Cite = (document: SourceDocument) => Promise<SourceDocument>;

/** Finds what chunks cite, when they are indexed. */
export interface Citing {
  /** Part of the hash of a source: what was indexed without citations is indexed again by a variant that finds them. */
  readonly mark: string;
  /** For one ingestion, which looks at the files of the project once. */
  begin(project: Project, settings: Settings): Cite;
}

/** Null object for variants without citations. */
export const noCiting: Citing = { mark: '', begin: () => async (document) => document };

interface CitationFinderPorts {
  readonly files: Pick<ProjectFileReader, 'listFolder' | 'readText'>;
  readonly fileNames: FileNames;
  readonly appDirs: AppDirectories;
}

/** Finds the files of the project that chunks name. Web pages speak of other projects, and cite nothing. */
export class CitationFinder implements Citing {
  readonly mark = 'cited';
  readonly #ports: CitationFinderPorts;

  constructor(ports: CitationFinderPorts) {
    this.#ports = ports;
  }

  begin({ path }: Project, { ignore }: Settings): Cite {
    const appDir = this.#ports.appDirs.of(path);
    const files = new FilesOfProject(this.#ports, { path, ignore });
    return async (document) => {
      if (document.sourceType === 'url') return document;
      const source = { sourceFile: document.sourceFile, appDir };
      const chunks: DraftChunk[] = [];
      for (const chunk of document.chunks) {
        const mentions = mentionsOf(chunk);
        const cited = mentions.length > 0 ? await citedFiles(mentions, files, source) : [];
        const citations = cited.length > 0 ? await files.citations(cited) : [];
        chunks.push(citations.length === 0 ? chunk : { ...chunk, citations });
      }
      return { ...document, chunks };
    };
  }
}

function mentionsOf({ cites = [], heading = '', content }: DraftChunk): readonly Mention[] {
  const text = headOf(content, EMBEDDED_MAX_CHARACTERS);
  return [...mentionsInEntries(cites), ...mentionsIn(heading), ...mentionsIn(text)];
}

interface ListedProject {
  readonly path: string;
  readonly ignore: boolean;
}

/**
 * The files of a project as they are during one ingestion, looked up as far as mentions ask for it: the folders of paths, and
 * all names for a name without a folder.
 */
class FilesOfProject implements FileLookup {
  readonly #ports: CitationFinderPorts;
  readonly #project: ListedProject;
  readonly #folders = new Map<string, ReadonlySet<string>>();
  readonly #hashes = new Map<string, string | undefined>();
  #pathsByName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(ports: CitationFinderPorts, project: ListedProject) {
    this.#ports = ports;
    this.#project = project;
  }

  has(path: string): boolean | Promise<boolean> {
    const [folder, name] = [folderOf(path), nameOf(path)];
    const listed = this.#folders.get(folder);
    return listed?.has(name) ?? this.#namesIn(folder).then((names) => names.has(name));
  }

  async named(name: string): Promise<readonly string[]> {
    this.#pathsByName ??= await this.#listAll();
    return this.#pathsByName.get(name) ?? [];
  }

  /** Without those of files that may not be read, each once: lines that a file does not have are not kept. */
  async citations(cited: readonly CitedFile[]): Promise<readonly Citation[]> {
    const citations = new Map<string, Citation>();
    for (const one of cited) {
      for (const citation of await this.#citation(one)) {
        const { path, lines } = citation;
        citations.set(`${path}:${lines?.from}-${lines?.to}`, citation);
      }
    }
    return [...citations.values()];
  }

  /** A file is read again only where lines of it are cited. */
  async #citation({ path, lines }: CitedFile): Promise<readonly Citation[]> {
    const fileHash = this.#hashes.get(path);
    if (fileHash !== undefined && lines === undefined) return [{ path, fileHash }];
    if (fileHash === undefined && this.#hashes.has(path)) return [];
    const { files } = this.#ports;
    const reading = await files.readText(this.#project.path, path, CITED_FILE_MAX_BYTES);
    const file = reading === undefined || 'skipped' in reading ? undefined : reading;
    this.#hashes.set(path, file?.hash);
    return file === undefined ? [] : [citationOf(path, file, lines)];
  }

  /** A folder that its parent does not name is not looked for. */
  async #namesIn(folder: string): Promise<ReadonlySet<string>> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isThere = folder === '' || (await this.#namesIn(folderOf(folder))).has(nameOf(folder));
    const isSearched = isThere && !NEVER_SEARCHED.has(nameOf(folder));
    const { files } = this.#ports;
    const listed = isSearched ? (await files.listFolder(this.#project.path, folder)).paths : [];
    const names = new Set(listed);
    this.#folders.set(folder, names);
    return names;
  }

  async #listAll(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { path: project, ignore } = this.#project;
    const byName = new Map<string, string[]>();
    for (const path of await this.#ports.fileNames.list(project, { ignore })) {
      const paths = byName.get(nameOf(path));
      if (paths === undefined) byName.set(nameOf(path), [path]);
      else paths.push(path);
    }
    return byName;
  }
}
