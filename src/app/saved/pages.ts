import { KnowledgeError } from '../../domain/errors.js';
import type { SavedFile } from '../../domain/project-layout.js';
import { freeName, pageAddress, pageName } from '../../domain/saved/saved-names.js';
import { readPage, type SavedPage, savedText, textOfPage } from '../../domain/saved/saved-text.js';
import type { Clock } from '../../ports/clock.js';
import type { FetchedPage, PageFetcher } from '../../ports/page-fetcher.js';
import type { Answer } from '../../schemas/checks.js';
import type { PageRequest, savedPage } from '../../schemas/saved.js';
import { KeyedMutex } from '../../shared/concurrency.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import { isIndexable } from './indexable-text.js';
import type { SavedFiles, SavedSource } from './saved-files.js';

interface PagesOptions {
  readonly saved: SavedFiles;
  readonly projects: Projects;
  readonly pages: PageFetcher;
  readonly clock: Clock;
}

/** Fetches web pages and keeps them as files of a project; each file names its page in the frontmatter. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #saves = new KeyedMutex();

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /**
   * Fetches a page and keeps its main text as `<appdir>/urls/<name>.md`. A known page keeps its tags and importance
   * unless the request sets them.
   * @throws KnowledgeError `fetch_not_allowed`, `fetch_failed`, `not_readable`, `overloaded`; nothing is written then
   */
  async save({ projectPath, ...page }: PageRequest): Promise<SavedPageReport> {
    const { projects } = this.#options;
    const address = pageAddress(page.url);
    return this.#saves.runExclusive(`${projectPath}\n${address}`, async () => {
      const project = await projects.find(projectPath);
      const known = project && (await this.#find(project, address));
      const fetched = await this.#options.pages.fetch(address);
      const opened = project ?? (await projects.open(projectPath));
      return this.#keep(opened, { ...page, url: address }, { fetched, known });
    });
  }

  async #keep(
    project: OpenProject,
    { url: source, tags, importance }: Omit<PageRequest, 'projectPath'>,
    { fetched, known }: PageVersions,
  ): Promise<SavedPageReport> {
    const { title, markdown: content } = fetched;
    const changed = title !== known?.page.title || content !== known.page.content;
    const page: SavedPage = {
      source,
      title,
      fetched: changed ? this.#options.clock.now().toISOString() : known.page.fetched,
      tags: tags ?? known?.page.tags,
      importance: importance ?? known?.page.importance,
      content,
    };
    if (!isIndexable(savedText(textOfPage(page)))) throw tooLarge();
    const saved = known
      ? await this.#update(project, known, page)
      : await this.#create(project, page);
    return { ...saved, title: page.title, isNew: known === undefined, changed };
  }

  /**
   * Finds the saved file of a page; undefined if there is none. Reads only files named after the page, with or without
   * a number.
   */
  async #find(project: Project, address: string): Promise<KnownPage | undefined> {
    const base = pageName(address);
    for (const name of await this.#options.saved.names(project, 'url')) {
      if (name !== base && !isNumbered(name, base)) continue;
      const known = await this.#read(project, { sourceType: 'url', name });
      if (known?.page.source === address) return known;
    }
    return undefined;
  }

  async #create(project: OpenProject, page: SavedPage): Promise<SavedSource> {
    const { name: _, ...created } = await this.#options.saved.createUnderFreeName(project, {
      sourceType: 'url',
      text: savedText(textOfPage(page)),
      choose: (taken) => freeName(pageName(page.source), taken),
    });
    return created;
  }

  /** Updates the file of a known page. Does not write it if its text stays the same. */
  async #update(project: OpenProject, known: KnownPage, page: SavedPage): Promise<SavedSource> {
    const { saved } = this.#options;
    const text = savedText(textOfPage(page));
    return text === known.text
      ? saved.index(project, known.file)
      : saved.write(project, known.file, text);
  }

  async #read(project: Project, file: SavedFile): Promise<KnownPage | undefined> {
    const content = await this.#options.saved.read(project, file);
    const page = content && readPage(content.frontmatter, content.body);
    return page && { file, page, text: content.text };
  }
}

function tooLarge(): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    'The page cannot be saved: its text exceeds 2 MiB; save the part that matters as a note instead.',
  );
}

/** The current page, and whether it is new. */
export interface SavedPageReport extends Answer<typeof savedPage> {
  readonly isNew: boolean;
}

function isNumbered(name: string, base: string): boolean {
  return name.startsWith(`${base}-`) && /^\d+$/.test(name.slice(base.length + 1));
}

interface KnownPage {
  readonly file: SavedFile;
  readonly page: SavedPage;
  readonly text: string;
}

/** The fetched page, and the saved version. */
interface PageVersions {
  readonly fetched: FetchedPage;
  readonly known: KnownPage | undefined;
}
