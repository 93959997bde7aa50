import { type DraftChunk, embeddingText, type SourceDocument } from '../../domain/chunks/chunk.js';
import {
  type Citation,
  citationOf,
  type PresentFile,
} from '../../domain/citations/citation-state.js';
import { mentionsInEntries } from '../../domain/citations/cited-entries.js';
import { type CitedFile, citedFiles } from '../../domain/citations/cited-files.js';
import { mentionsIn } from '../../domain/citations/mentions.js';
import { CITED_FILE_MAX_BYTES, CITED_TEXTS_MAX_CHARACTERS } from '../../domain/limits.js';
import type { Settings } from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { Project } from '../projects/project.js';
import type { Cite, Citing } from './citing.js';
import { NamedFiles } from './named-files.js';

interface CitationFinderPorts {
  readonly files: Pick<ProjectFileReader, 'listFolder' | 'readText'>;
  readonly fileNames: FileNames;
  readonly appDirs: AppDirectories;
}

/** Finds the files of the project that chunks name. Web pages speak of other projects, and cite nothing. */
export class CitationFinder implements Citing {
  readonly #ports: CitationFinderPorts;

  constructor(ports: CitationFinderPorts) {
    this.#ports = ports;
  }

  begin({ path: project }: Project, { ignore }: Settings): Cite {
    const { files, fileNames, appDirs } = this.#ports;
    const appDir = appDirs.of(project);
    const parts = {
      appDir,
      named: new NamedFiles({ files, fileNames }, { project, appDir, ignore }),
      texts: new CitedTexts(files, project),
    };
    return async (document) =>
      document.sourceType === 'url' ? document : withCitations(document, parts);
  }
}

interface CitingParts {
  readonly appDir: string;
  readonly named: NamedFiles;
  readonly texts: CitedTexts;
}

async function withCitations(
  document: SourceDocument,
  parts: CitingParts,
): Promise<SourceDocument> {
  const chunks: DraftChunk[] = [];
  for (const chunk of document.chunks) {
    const citations = await citationsOf(chunk, document.sourceFile, parts);
    chunks.push(citations.length === 0 ? chunk : { ...chunk, citations });
  }
  return { ...document, chunks };
}

async function citationsOf(
  chunk: DraftChunk,
  sourceFile: string,
  { appDir, named, texts }: CitingParts,
): Promise<readonly Citation[]> {
  const mentions = [...mentionsInEntries(chunk.cites ?? []), ...mentionsIn(embeddingText(chunk))];
  if (mentions.length === 0) return [];
  await named.prepare(mentions, sourceFile);
  const found: Citation[] = [];
  for (const cited of citedFiles(mentions, named, { sourceFile, appDir })) {
    found.push(...(await texts.citation(cited)));
  }
  return found;
}

/** The cited files as they are now, each read once unless there are very many. */
class CitedTexts {
  readonly #files: Pick<ProjectFileReader, 'readText'>;
  readonly #project: string;
  readonly #known = new Map<string, PresentFile | undefined>();
  #characters = 0;

  constructor(files: Pick<ProjectFileReader, 'readText'>, project: string) {
    this.#files = files;
    this.#project = project;
  }

  /** None for a file that may not be read. */
  async citation({ path, lines }: CitedFile): Promise<readonly Citation[]> {
    const file = this.#known.has(path) ? this.#known.get(path) : await this.#read(path);
    return file === undefined ? [] : [citationOf(path, file, lines)];
  }

  async #read(path: string): Promise<PresentFile | undefined> {
    const reading = await this.#files.readText(this.#project, path, CITED_FILE_MAX_BYTES);
    const file = reading === undefined || 'skipped' in reading ? undefined : reading;
    if (this.#characters > CITED_TEXTS_MAX_CHARACTERS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#characters += file?.text.length ?? 0;
    this.#known.set(path, file);
    return file;
  }
}
