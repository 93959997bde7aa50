import type { ComponentType } from 'preact';
import { ApiPage } from '../api/api-page.js';
import { LabPage } from '../lab/lab-page.js';
import { LessonsPage } from '../lessons/lessons-page.js';
import { NotesPage } from '../notes/notes-page.js';
import { ChunkPage } from '../project/chunk-page.js';
import { ProjectPage } from '../project/project-page.js';
import { SessionsPage } from '../sessions/sessions-page.js';
import type { PageProps } from '../shared/page-props.js';
import { UpkeepPage } from '../upkeep/upkeep-page.js';
import { Welcome } from './welcome.js';

interface PageEntry {
  readonly title: string;
  /** The letter to press after `g`. */
  readonly key: string;
  readonly view: ComponentType<PageProps>;
  /** Set if the page is about the service, not about one project. */
  readonly needsNoProject?: true;
}

const LAB: PageEntry = { title: 'Search lab', key: 's', view: LabPage };

/** The pages of the navigation, in order. */
export const PAGES: Readonly<Record<string, PageEntry>> = {
  search: LAB,
  project: { title: 'Project', key: 'p', view: ProjectPage },
  notes: { title: 'Notes', key: 'n', view: NotesPage },
  sessions: { title: 'Sessions', key: 'e', view: SessionsPage },
  lessons: { title: 'Lessons', key: 'l', view: LessonsPage },
  upkeep: { title: 'Upkeep', key: 'u', view: UpkeepPage },
  api: {
    title: 'API',
    key: 'a',
    view: ({ fields }) => <ApiPage at={fields['at']} />,
    needsNoProject: true,
  },
};

/** The page that an address names; the search lab if there is none of that name. */
export function pageOf(name: string): Omit<PageEntry, 'key'> {
  return PAGES[name] ?? UNLISTED[name] ?? LAB;
}

const UNLISTED: Readonly<Record<string, Omit<PageEntry, 'key'>>> = {
  chunk: { title: 'Chunk', view: ChunkPage },
  projects: { title: 'Projects', view: () => <Welcome />, needsNoProject: true },
};
