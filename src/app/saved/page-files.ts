import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { KnowledgeError } from '../../domain/errors.js';
import { type SavedFile, savedPath } from '../../domain/project-layout.js';
import { freeName } from '../../domain/saved/free-name.js';
import { pageName } from '../../domain/saved/page-address.js';
import { readPage, type SavedPage, textOfPage } from '../../domain/saved/saved-page.js';
import { savedText } from '../../domain/saved/saved-text.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { Project } from '../projects/project.js';
import type { SavedFiles, SavedSource } from './saved-files.js';

export interface PageFilesPorts {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly saved: SavedFiles;
  readonly appDirs: AppDirectories;
}

/** A page that is kept, and its file. */
export interface KnownPage {
  readonly file: SavedFile;
  readonly page: SavedPage;
  /** The whole file. */
  readonly text: string;
}

/** Reads and writes the files of pages; which page a file is of is said in its frontmatter. */
export class PageFiles {
  readonly #ports: PageFilesPorts;

  constructor(ports: PageFilesPorts) {
    this.#ports = ports;
  }

  /** Undefined if no file is of this page. Only files with the name of the page, and a number perhaps, are read. */
  async find(project: Project, address: string): Promise<KnownPage | undefined> {
    const base = pageName(address);
    for (const name of await this.#ports.saved.names(project, 'url')) {
      if (name !== base && !isNumbered(name, base)) continue;
      const known = await this.#read(project, { sourceType: 'url', name });
      if (known?.page.source === address) return known;
    }
    return undefined;
  }

  /**
   * Writes the file of a new page, under a name that is free.
   * @throws KnowledgeError `store_unavailable` if others keep taking the names
   */
  async create(project: Project, page: SavedPage): Promise<SavedSource> {
    const { saved } = this.#ports;
    for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt += 1) {
      const taken = await saved.names(project, 'url');
      const file: SavedFile = { sourceType: 'url', name: freeName(pageName(page.source), taken) };
      const created = await saved.create(project, file, textOfPage(page));
      if (created !== undefined) return created;
    }
    throw new KnowledgeError(
      'store_unavailable',
      'Other pages are being saved under the same name; try again shortly.',
    );
  }

  /** Writes a known page again, unless its file would stay the same. */
  async update(project: Project, known: KnownPage, page: SavedPage): Promise<SavedSource> {
    const { saved } = this.#ports;
    const text = textOfPage(page);
    return savedText(text) === known.text
      ? saved.index(project, known.file)
      : saved.write(project, known.file, text);
  }

  async #read(project: Project, file: SavedFile): Promise<KnownPage | undefined> {
    const { files, frontmatter, appDirs } = this.#ports;
    const path = savedPath(appDirs.of(project.path), file);
    const reading = await files.readText(project.path, path);
    if (reading === undefined || 'skipped' in reading) return undefined;
    const { yaml = '', body } = splitFrontmatter(reading.text);
    const page = readPage(frontmatter.parse(yaml, path), body);
    return page && { file, page, text: reading.text };
  }
}

const CREATE_ATTEMPTS = 10;

function isNumbered(name: string, base: string): boolean {
  return name.startsWith(`${base}-`) && /^\d+$/.test(name.slice(base.length + 1));
}
