import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { git } from '../../support/linked-worktree.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const stores = sqliteStores();
afterAll(() => stores.close());

const LINES = ['knowledge.db*', 'project-key', 'sessions/', '.*.tmp'];
const FILE = '.knowledge/.gitignore';

it.each([
  ['is made', undefined, `${LINES.join('\n')}\n.gitignore\n`],
  ['gets the lines that it lacks', 'mine', `mine\n${LINES.join('\n')}\n`],
  [
    'keeps its order and its line ends',
    'sessions/\r\nknowledge.db*\r\n',
    'sessions/\r\nknowledge.db*\r\nproject-key\r\n.*.tmp\r\n',
  ],
  [
    'has the last word over lines that take ours back',
    `${LINES.join('\n')}\n!sessions/\n`,
    `${LINES.join('\n')}\n!sessions/\n${LINES.join('\n')}\n`,
  ],
  [
    'has no line with a space before it, which git reads as another name',
    ` ${LINES.join('\n ')}\n`,
    ` ${LINES.join('\n ')}\n${LINES.join('\n')}\n`,
  ],
])('the .gitignore of the application directory %s', async (_, before, after) => {
  const project = projects.make(before === undefined ? {} : { [FILE]: before });
  mkdirSync(project.at('.git'));
  for (let round = 0; round < 2; round += 1) {
    await stores.open(project.path);
    await stores.release(project.path);
    expect(readFileSync(project.at(FILE), 'utf8')).toBe(after);
  }
});

it('lets git switch from a branch where it is not committed to one where it is', async () => {
  const project = projects.make({ 'a.md': '# A' });
  git(project.path, 'init', '-q', '-b', 'main');
  git(project.path, 'add', '.');
  git(project.path, 'commit', '-qm', 'First');
  git(project.path, 'switch', '-qc', 'other');
  await stores.open(project.path);
  git(project.path, 'add', '-f', FILE);
  git(project.path, 'commit', '-qm', 'Second');
  await stores.release(project.path);
  git(project.path, 'switch', '-q', 'main');
  await stores.open(project.path);
  git(project.path, 'switch', '-q', 'other');
});

it('is also created in a folder of a repository', async () => {
  const repository = projects.make({ 'packages/api/.knowledge/notes/a.md': '# A' });
  mkdirSync(repository.at('.git'));
  await stores.open(repository.at('packages/api'));
  expect(readFileSync(repository.at(`packages/api/${FILE}`), 'utf8')).toContain('knowledge.db*');
});

it('is not written through a link', async () => {
  const [project, outside] = [projects.make(), projects.make({ secret: 'precious' })];
  mkdirSync(project.at('.git'));
  mkdirSync(dirname(project.at(FILE)));
  symlinkSync(outside.at('secret'), project.at(FILE));
  await stores.open(project.path);
  expect(readFileSync(outside.at('secret'), 'utf8')).toBe('precious');
});
