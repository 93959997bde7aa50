import type { DraftChunk, SourceDocument } from '../../domain/chunks/chunk.js';
import { type Citation, toCitation } from '../../domain/citations/citation.js';
import { type CitedPlace, placeKey } from '../../domain/citations/cited-place.js';
import { LineHashes } from '../../domain/citations/line-hashes.js';
import { findMentions, type Mention, mentionsInEntries } from '../../domain/citations/mentions.js';
import { NEVER_SEARCHED } from '../../domain/documentation.js';
import { CITED_FILE_MAX_BYTES, EMBEDDED_MAX_CHARACTERS } from '../../domain/limits.js';
import { fileName } from '../../domain/paths.js';
import type { Settings } from '../../domain/settings.js';
import { takeHead } from '../../domain/text.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { FileNames, ProjectFileReader, TextFile } from '../../ports/project-files.js';
import { eventLoop } from '../../shared/in-batches.js';
import type { Project } from '../project.js';
import { citedFiles, type FileLookup } from './cited-files.js';

export type Cite = (document: SourceDocument) => Promise<SourceDocument>;

export interface Citing {
  /** Included in the hash of each source, so that sources indexed without citations are indexed again. */
  readonly mark: string;
  /**
   * Begins an ingestion. The returned function adds citations to a document, and remembers the hashes of cited files.
   */
  begin(project: Project, settings: Settings): Cite;
}

export const noCiting: Citing = { mark: '', begin: () => async (document) => document };

interface CitationFinderDeps {
  readonly files: Pick<ProjectFileReader, 'readText'>;
  readonly fileNames: FileNames;
  readonly appDirs: AppDirectories;
}

/** Finds the project files named in chunks. Web pages describe other projects, so they have no citations. */
export class CitationFinder implements Citing {
  readonly mark = 'cited';
  readonly #deps: CitationFinderDeps;

  constructor(deps: CitationFinderDeps) {
    this.#deps = deps;
  }

  begin({ path }: Project, { ignore }: Settings): Cite {
    const appDir = this.#deps.appDirs.of(path);
    const files = new FilesOfProject(this.#deps, { path, ignore });
    return async (document) => {
      if (document.sourceType === 'url') return document;
      const source = { project: path, sourceFile: document.sourceFile, appDir };
      const chunks: DraftChunk[] = [];
      for (const chunk of document.chunks) {
        const mentions = chunkMentions(chunk);
        if (mentions.length > 0) await eventLoop();
        const cited = await citedFiles(mentions, files, source);
        const citations = await files.citations(cited);
        chunks.push(citations.length === 0 ? chunk : { ...chunk, citations });
      }
      return { ...document, chunks };
    };
  }
}

function chunkMentions({ cites = [], heading = '', content }: DraftChunk): readonly Mention[] {
  const text = takeHead(content, EMBEDDED_MAX_CHARACTERS);
  return [...mentionsInEntries(cites), ...findMentions(heading), ...findMentions(text)];
}

interface ListedProject {
  readonly path: string;
  readonly ignore: boolean;
}

/** Maximum number of line hashes kept, over all files: about 25 MB. */
const KNOWN_LINES_MAX = 2_000_000;

/** The files of a project during one ingestion. Keeps hashes of files and lines, not the texts. */
class FilesOfProject implements FileLookup {
  readonly #deps: CitationFinderDeps;
  readonly #project: ListedProject;
  /** Content hashes by path; undefined for anything but a readable file of the project. */
  readonly #hashes = new Map<string, string | undefined>();
  readonly #lines = new Map<string, LineHashes>();
  #knownLines = 0;
  #pathsByName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(deps: CitationFinderDeps, project: ListedProject) {
    this.#deps = deps;
    this.#project = project;
  }

  async has(path: string): Promise<boolean> {
    return (await this.#hash(path)) !== undefined;
  }

  async named(name: string): Promise<readonly string[]> {
    this.#pathsByName ??= await this.#listAll();
    return this.#pathsByName.get(name) ?? [];
  }

  /** Returns distinct citations of readable files. If the file lacks the cited lines, the whole file is cited. */
  async citations(cited: readonly CitedPlace[]): Promise<readonly Citation[]> {
    const citations = new Map<string, Citation>();
    for (const { path, lines } of cited) {
      const hash = await this.#hash(path);
      if (hash === undefined) continue;
      const citation = lines
        ? toCitation(path, { hash, lines: await this.#readLines(path) }, lines)
        : { path, fileHash: hash };
      citations.set(placeKey(citation), citation);
    }
    return [...citations.values()];
  }

  async #hash(path: string): Promise<string | undefined> {
    if (path.split('/').some((part) => NEVER_SEARCHED.has(part))) return undefined;
    if (!this.#hashes.has(path)) this.#hashes.set(path, (await this.#read(path))?.hash);
    return this.#hashes.get(path);
  }

  async #readLines(path: string): Promise<LineHashes> {
    const known = this.#lines.get(path);
    if (known !== undefined) return known;
    const lines = new LineHashes((await this.#read(path))?.text ?? '');
    this.#knownLines += lines.count;
    if (this.#knownLines > KNOWN_LINES_MAX) {
      this.#lines.clear();
      this.#knownLines = lines.count;
    }
    this.#lines.set(path, lines);
    return lines;
  }

  async #read(path: string): Promise<TextFile | undefined> {
    const reading = await this.#deps.files.readText(this.#project.path, path, CITED_FILE_MAX_BYTES);
    return reading === undefined || 'skipped' in reading ? undefined : reading;
  }

  async #listAll(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { path: project, ignore } = this.#project;
    const byName = new Map<string, string[]>();
    for (const path of await this.#deps.fileNames.list(project, { ignore })) {
      const paths = byName.get(fileName(path)) ?? [];
      paths.push(path);
      byName.set(fileName(path), paths);
    }
    return byName;
  }
}
