import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
afterEach(() => {
  vi.useRealTimers();
  projects.removeAll();
});

it.each([
  ['nothing', [], '.knowledge', []],
  ['one folder with a feature.json', ['.automaker/features/a/feature.json'], '.automaker', []],
  ['one with a reflection', ['.tool/features/a/reflection.md'], '.tool', []],
  ['one with an agent output', ['.tool/features/a/agent-output.md'], '.tool', []],
  ['one with a database', ['.other/knowledge.db'], '.other', []],
  ['a visible folder with features', ['app/features/a/feature.json'], '.knowledge', []],
  ['a file directly in features', ['.tool/features/feature.json'], '.knowledge', []],
  ['other files of features', ['.tool/features/a/notes.md'], '.knowledge', []],
  ['a folder of version control', ['.git/knowledge.db'], '.knowledge', []],
  ['memory alone', ['.tool/memory/gotchas.md'], '.tool', []],
  ['notes alone', ['.tool/notes/a.md'], '.tool', []],
  ['settings of another program', ['.vscode/settings.json'], '.knowledge', []],
  ['an empty .knowledge beside a database', ['.knowledge/x', '.a/knowledge.db'], '.a', []],
  [
    '.knowledge that knows as much as another',
    ['.knowledge/notes/a.md', '.a/memory/b.md'],
    '.knowledge',
    ['.a'],
  ],
  [
    'a database beside knowledge',
    ['.knowledge/knowledge.db', '.automaker/features/a/feature.json'],
    '.automaker',
    ['.knowledge'],
  ],
  ['two with knowledge', ['.b/memory/x.md', '.automaker/notes/x.md'], '.automaker', ['.b']],
] as const)('of a project with %s', (_, files, appDir, others) => {
  const project = projects.make(Object.fromEntries(files.map((file) => [file, 'x'])));
  const found = appDirectories();
  expect(found.of(project.path)).toBe(appDir);
  expect(found.others(project.path)).toEqual(others);
});

it('looks again when folders of the project come and go, and where there is none yet', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const project = projects.make();
  const found = appDirectories();
  expect(found.of(project.path)).toBe('.knowledge');
  mkdirSync(project.at('.tool/features/a'), { recursive: true });
  expect(found.of(project.path)).toBe('.knowledge');
  project.write('.tool/features/a/feature.json', '{}');
  vi.advanceTimersByTime(1100);
  expect(found.of(project.path)).toBe('.tool');
  project.write('.knowledge/settings.json', '{"knowledgeStore": {}}');
  vi.advanceTimersByTime(1100);
  expect(found.of(project.path)).toBe('.knowledge');
});

it('says once that there are several, and which one is used', () => {
  const project = projects.make({ '.a/knowledge.db': '', '.b/knowledge.db': '' });
  const logger = new SilentLogger();
  const found = appDirectories(undefined, logger);
  found.of(project.path);
  found.of(project.path);
  expect(logger.messages('warn')).toEqual([expect.stringMatching(/\.a is used, \.b not/)]);
});

it('reads no settings through a link, which may lead to a file without an end', () => {
  const elsewhere = projects.make({ 'settings.json': '{"knowledgeStore": {}}' });
  const project = projects.make({ '.tool/a.txt': 'x' });
  symlinkSync(elsewhere.at('settings.json'), project.at('.tool/settings.json'));
  expect(appDirectories().of(project.path)).toBe('.knowledge');
});

it('follows no link', () => {
  const elsewhere = projects.make({ 'features/a/feature.json': '{}' });
  const project = projects.make();
  symlinkSync(elsewhere.path, project.at('.link'));
  expect(appDirectories().of(project.path)).toBe('.knowledge');
});

it('uses a configured name everywhere', () => {
  const project = projects.make({ '.a/knowledge.db': '' });
  expect(appDirectories('.memory').of(project.path)).toBe('.memory');
});
