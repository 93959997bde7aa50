import { pageAddress } from '../../domain/saved/page-address.js';
import type { SavedPage } from '../../domain/saved/saved-page.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { FetchedPage, PageFetcher } from '../../ports/driven/page-fetcher.js';
import type { PageService, PageToSave, SavedPageReport } from '../../ports/driving/page-service.js';
import { checkArguments } from '../arguments.js';
import { KeyedMutex } from '../keyed-mutex.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type KnownPage, PageFiles, type PageFilesPorts } from './page-files.js';

interface PagesParts extends PageFilesPorts {
  readonly projects: Projects;
  readonly pages: PageFetcher;
  readonly clock: Clock;
}

/** Fetches web pages and keeps them as files of a project. */
export class Pages implements PageService {
  readonly #parts: PagesParts;
  readonly #files: PageFiles;
  readonly #saves = new KeyedMutex();

  constructor(parts: PagesParts) {
    this.#parts = parts;
    this.#files = new PageFiles(parts);
  }

  async savePage(projectPath: string, page: PageToSave): Promise<SavedPageReport> {
    checkArguments({ projectPath, page });
    const { url, tags, importance } = page;
    checkArguments({ url }, { tags, importance });
    const { projects } = this.#parts;
    const address = pageAddress(url);
    return this.#saves.runExclusive(`${projectPath}\n${address}`, async () => {
      const { project } = await projects.openForReading(projectPath);
      const known = project && (await this.#files.find(project, address));
      const fetched = await this.#parts.pages.fetch(address, known?.page);
      const opened = project ?? (await projects.open(projectPath));
      return this.#keep(opened, { ...page, url: address }, { fetched, known });
    });
  }

  async #keep(
    project: Project,
    { url: source, tags, importance }: PageToSave,
    { fetched, known }: Found,
  ): Promise<SavedPageReport> {
    const text = textOf(fetched, known);
    const changed = text.title !== known?.page.title || text.content !== known.page.content;
    const page: SavedPage = {
      source,
      title: text.title,
      fetched: changed ? this.#parts.clock.now().toISOString() : known.page.fetched,
      etag: text.etag,
      lastModified: text.lastModified,
      tags: tags ?? known?.page.tags,
      importance: importance ?? known?.page.importance,
      content: text.content,
    };
    const saved = known
      ? await this.#files.update(project, known, page)
      : await this.#files.create(project, page);
    return { ...saved, title: page.title, isNew: known === undefined, changed };
  }
}

/** What the fetcher returned, and what was known before. */
interface Found {
  readonly fetched: FetchedPage | 'unchanged';
  readonly known: KnownPage | undefined;
}

type PageText = Pick<SavedPage, 'title' | 'content' | 'etag' | 'lastModified'>;

function textOf(fetched: FetchedPage | 'unchanged', known: KnownPage | undefined): PageText {
  if (fetched !== 'unchanged') return { ...fetched, content: fetched.markdown };
  if (known !== undefined) return known.page;
  throw new Error('A page that is not known was reported as unchanged.');
}
