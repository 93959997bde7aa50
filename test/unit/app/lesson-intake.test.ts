import { beforeEach, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { LessonIntake } from '../../../src/app/lessons/lesson-intake.js';
import type { OpenProject } from '../../../src/app/projects/open-project.js';
import type { Lesson } from '../../../src/domain/lessons/lesson-text.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

const WAL: Lesson = {
  category: 'storage',
  title: 'Use WAL',
  content: 'In WAL mode readers do not wait for the writer.',
};
const PAGES: Lesson = {
  category: 'storage',
  title: 'Page size',
  content: 'Four KiB pages fit every disk of ours.',
};
const TIDY_WAL = { title: WAL.title, content: WAL.content };
const STORED_WAL = `# storage\n\n### Use WAL (2026-01-01)\n- **Learned:** ${WAL.content}\n`;

let files: InMemoryProjectFiles;
let logger: SilentLogger;
let edited: string[];
/** The text of a category at the time of its edit. */
let current: string;

const take = (...lessons: readonly Lesson[]) => {
  const clock = new FixedClock();
  const memory = {
    editCategory: async (_: OpenProject, category: string, edit: (text: string) => string) => {
      edited.push(category);
      if (current === 'unreadable') return { skipped: 'it may not be read' };
      return { text: edit(current) };
    },
  };
  const options = { files, logger, clock, memory, appDirs: appDirectories('.knowledge') };
  const project = { path: '/project' } as OpenProject;
  return new LessonIntake(options as never).take(project, 'login', lessons);
};

beforeEach(() => {
  files = new InMemoryProjectFiles();
  logger = new SilentLogger();
  [edited, current] = [[], ''];
});

it('a lesson is added to its category', async () => {
  const { grown, ...counts } = await take(WAL);
  expect(counts).toEqual({ found: 1, distinct: [TIDY_WAL], added: 1, duplicates: 0 });
  expect(grown).toEqual([{ name: 'storage', text: expect.stringContaining(WAL.content) }]);
});

it('a lesson that the model repeats is added once', async () => {
  expect(await take(WAL, { ...WAL, category: 'api' })).toMatchObject({
    found: 2,
    distinct: [TIDY_WAL],
    added: 1,
    duplicates: 1,
    grown: [{ name: 'storage' }],
  });
});

it('without lessons, no file is read', async () => {
  files.listFolder = () => Promise.reject(new Error('no'));
  const none = { found: 0, distinct: [], added: 0, duplicates: 0, grown: [] };
  expect(await take()).toEqual(none);
});

it('a lesson is not looked for in files that are no category, are gone, or may not be read', async () => {
  files.set('.knowledge/memory/_index.md', STORED_WAL);
  files.set('.knowledge/memory/old.md', STORED_WAL);
  files.refuse('.knowledge/memory/old.md', 'it may not be read');
  files.set('.knowledge/memory/gone.md', STORED_WAL);
  files.onRead = (path) => {
    if (path.endsWith('gone.md')) files.delete(path);
  };
  expect(await take(WAL)).toMatchObject({ added: 1, duplicates: 0 });
});

it('a lesson that another writer has just added is a duplicate', async () => {
  current = STORED_WAL;
  expect(await take(WAL)).toEqual({
    found: 1,
    distinct: [TIDY_WAL],
    added: 0,
    duplicates: 1,
    grown: [],
  });
  const { grown, ...counts } = await take(WAL, PAGES);
  expect(counts).toMatchObject({ found: 2, added: 1, duplicates: 1 });
  expect(grown[0]?.text.split(WAL.content)).toHaveLength(2);
});

it('lessons that could not be written are neither added nor duplicates, and the log says so', async () => {
  current = 'unreadable';
  expect(await take(WAL, PAGES)).toMatchObject({ found: 2, added: 0, duplicates: 0, grown: [] });
  expect(edited).toEqual(['storage']);
  expect(logger.entries).toEqual([
    {
      level: 'warn',
      message: 'A memory category could not be changed, so its lessons were not stored.',
      fields: { category: 'storage', reason: 'it may not be read', lessons: 2 },
    },
  ]);
});
