import { beforeEach, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { SavedFiles } from '../../../src/app/saved/saved-files.js';
import { SourceStates } from '../../../src/app/saved/source-states.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';

const NOTE = '.knowledge/notes/a.md';
const SESSION = '.knowledge/sessions/s.md';

let files: InMemoryProjectFiles;

const find = async (...sourceFiles: readonly string[]) => {
  const deps = {
    files,
    frontmatter: { parse: parseFrontmatter },
    appDirs: appDirectories('.knowledge'),
  };
  const states = new SourceStates({ ...deps, saved: new SavedFiles(deps) });
  return Object.fromEntries(await states.find({ path: '/project' }, sourceFiles));
};

beforeEach(() => {
  files = new InMemoryProjectFiles();
});

it('notes have a version and a time, sessions an agent, and other sources nothing', async () => {
  files.set(NOTE, '---\nupdated: 2026-01-02\n---\n# A\n\nText.\n');
  files.set(SESSION, '---\n{agent: claude}\n---\n## Why?\n\nBecause.\n');
  for (const path of ['docs/a.md', '.knowledge/urls/a.md']) files.set(path, 'Text.');
  expect(await find(NOTE, SESSION, NOTE, 'docs/a.md', '.knowledge/urls/a.md')).toEqual({
    [NOTE]: { version: expect.stringMatching(/^[0-9a-f]{16}$/), updated: '2026-01-02' },
    [SESSION]: { agent: 'claude' },
  });
  expect(files.reads).toEqual([NOTE, SESSION]);
});

it.each([
  ['are gone', () => {}],
  ['may not be read', () => [NOTE, SESSION].map((path) => files.refuse(path, 'no'))],
  ['have no metadata', () => files.set(SESSION, '## Why?\n\nBecause.\n')],
])('files that %s have no state', async (_, change) => {
  change();
  expect(await find(NOTE, SESSION)).toStrictEqual({});
});
