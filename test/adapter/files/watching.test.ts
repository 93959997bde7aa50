import { renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemSourceWatcher } from '../../../src/adapters/files/file-system-source-watcher.js';
import type { SourceWatch } from '../../../src/ports/source-watcher.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const SOURCES = { include: ['**/*.md'], exclude: ['docs/not.md'], ignore: true };
/** What was written longer ago has a time of its own. */
const STEP_MS = 60;
const REFLECTION = '.knowledge/features/f/reflection.md';

let project: TempProject;
let watch: SourceWatch;

beforeEach(async () => {
  project = projects.make({
    'a.md': 'a',
    'docs/b.md': 'b',
    'docs/deep/c.md': 'c',
    [REFLECTION]: 'r',
  });
  watch = new FileSystemSourceWatcher(appDirectories('.knowledge')).watch(project.path);
  await pause(STEP_MS);
});

it('says first that anything may have changed, and then that nothing has', async () => {
  expect(await watch.changes(SOURCES)).toBeUndefined();
  expect(await changes()).toEqual([]);
});

it('reports files that were written, created or deleted', async () => {
  await watch.changes(SOURCES);
  project.write('docs/deep/c.md', 'another c');
  project.write('docs/d.md', 'd');
  project.write(REFLECTION, 'another r');
  project.write('.knowledge/notes/n.md', 'n');
  project.write('.knowledge/notes/deep/m.md', 'm');
  project.write('.knowledge/documents/deep/d.txt', 'd');
  project.delete('a.md');
  expect(await changes()).toEqual([
    '.knowledge/documents/deep/d.txt',
    REFLECTION,
    '.knowledge/notes/deep/m.md',
    '.knowledge/notes/n.md',
    'a.md',
    'docs/d.md',
    'docs/deep/c.md',
  ]);
});

it('reports files whose folder is new or renamed', async () => {
  await watch.changes(SOURCES);
  project.write('new/folder/d.md', 'd');
  renameSync(project.at('docs'), project.at('guides'));
  expect(await changes()).toEqual([
    'docs/b.md',
    'docs/deep/c.md',
    'guides/b.md',
    'guides/deep/c.md',
    'new/folder/d.md',
  ]);
});

it('reports a file again that may have been written within the same clock tick', async () => {
  await watch.changes(SOURCES);
  project.write('a.md', 'another a');
  expect(await watch.changes(SOURCES)).toEqual(['a.md']);
  expect(await changes()).toEqual(['a.md']);
  expect(await changes()).toEqual([]);
});

it('does not report files that are not sources', async () => {
  await watch.changes(SOURCES);
  project.writeAll({ 'node_modules/x/x.md': 'x', 'build/x.md': 'x', 'docs/x.ts': 'x' });
  project.write('docs/not.md', 'excluded');
  project.write('.knowledge/features/f/notes.md', 'not a source');
  expect(await changes()).toEqual([]);
});

it('follows rules of git that change, and says that anything may have changed with the settings', async () => {
  project.write('docs/.gitignore', '# nothing');
  await pause(STEP_MS);
  await watch.changes(SOURCES);
  project.write('docs/.gitignore', 'deep/');
  expect(await changes()).toEqual(['docs/deep/c.md']);
  project.writeSettings({ maxChunkSize: 100 });
  expect(await watch.changes(SOURCES)).toBeUndefined();
});

it('follows rules of git above the project, up to the root of the repository', async () => {
  const repository = projects.make({ '.git/HEAD': 'x', 'one/pkg/a.md': 'a', 'one/pkg/b.md': 'b' });
  const nested = new FileSystemSourceWatcher(appDirectories('.knowledge')).watch(
    repository.at('one/pkg'),
  );
  await pause(STEP_MS);
  await nested.changes(SOURCES);
  repository.write('one/.gitignore', 'a.md');
  expect(await nested.changes(SOURCES)).toEqual(['a.md']);
  repository.write('.gitignore', 'b.md');
  expect(await nested.changes(SOURCES)).toEqual(['b.md']);
  await pause(STEP_MS);
  repository.write('.gitignore', 'c.md');
  expect(await nested.changes(SOURCES)).toEqual(['b.md']);
});

it('knows no project that contains a home directory', () => {
  const watcher = new FileSystemSourceWatcher(appDirectories('.knowledge'));
  expect(watcher.isProject('/')).toBe(false);
  expect(watcher.isProject(project.path)).toBe(true);
});

async function changes(): Promise<readonly string[] | undefined> {
  await pause(STEP_MS);
  return (await watch.changes(SOURCES))?.toSorted();
}
