import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { openFolder } from '../../../src/adapters/files/open-folder.js';
import { place } from '../../../src/adapters/files/place-file.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const files = new FileSystemProjectFiles(appDirectories('.knowledge'));
const DRAFT = '.0f0e9a51-3c5e-4b5a-9a51-0f0e9a513c5e.tmp';

test('drafts that killed writers have left are removed, and nothing else', async () => {
  const project = projects.make({
    [`.knowledge/notes/${DRAFT}`]: 'half',
    [`.knowledge/notes/deep/er/${DRAFT}`]: '',
    '.knowledge/notes/.mine.tmp': 'of somebody',
    '.knowledge/notes/a.md': '# A',
    [`docs/${DRAFT}`]: 'of another program',
  });
  await files.removeDrafts(project.path, ['.knowledge/notes', '.knowledge/memory']);
  const names = readdirSync(project.path, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => /\.(?:tmp|md)$/.test(name)).toSorted()).toEqual([
    '.knowledge/notes/.mine.tmp',
    '.knowledge/notes/a.md',
    `docs/${DRAFT}`,
  ]);
});

test('a writer whose draft is removed by another process writes it again', async () => {
  const project = projects.make({ 'notes/a.md': 'old' });
  const folder = openFolder(project.path, 'notes');
  const drafts: string[] = [];
  await place(folder, { content: ['new'] }, (from) => {
    drafts.push(basename(from));
    if (drafts.length === 1) rmSync(from);
    renameSync(from, join(dirname(from), 'a.md'));
  });
  folder.close();
  expect(readFileSync(project.at('notes/a.md'), 'utf8')).toBe('new');
  expect(drafts).toHaveLength(2);
  expect(readdirSync(project.at('notes'))).toEqual(['a.md']);
});
