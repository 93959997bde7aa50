import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { appDirectories, holdsKnowledge } from '../../../src/adapters/files/app-directories.js';
import { TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
afterEach(() => projects.removeAll());

function projectWith(files: readonly string[]) {
  return projects.make(Object.fromEntries(files.map((file) => [file, 'x'])));
}

describe('the application directory of a project with', () => {
  it.each([
    ['nothing', [], '.knowledge'],
    ['notes in .knowledge', ['.knowledge/notes/a.md'], '.knowledge'],
    ['settings in .knowledge', ['.knowledge/settings.json'], '.knowledge'],
    ['any file deep in .knowledge', ['.knowledge/a/b/c/d.txt'], '.knowledge'],
    ['.automaker alone', ['.automaker/features/a/feature.json'], '.automaker'],
    ['.automaker that holds a database', ['.automaker/knowledge.db'], '.automaker'],
    ['files in both', ['.knowledge/notes/a.md', '.automaker/features/a/x.md'], '.knowledge'],
    ['a database in .knowledge', ['.knowledge/knowledge.db', '.automaker/x'], '.automaker'],
    [
      'only files of ours in .knowledge',
      [
        '.knowledge/knowledge.db-wal',
        '.knowledge/knowledge.db.replaced-2026',
        '.knowledge/project-key',
        '.knowledge/.gitignore',
        '.knowledge/notes/.DS_Store',
        '.knowledge/memory/.history/a.md',
        '.automaker/x',
      ],
      '.automaker',
    ],
    ['another hidden folder with features', ['.tool/features/a/reflection.md'], '.knowledge'],
    ['another hidden folder with a database', ['.tool/knowledge.db'], '.knowledge'],
    ['another hidden folder with memory', ['.agents/memory/x.md'], '.knowledge'],
  ] as const)('%s', (_, files, appDir) => {
    expect(appDirectories().of(projectWith(files).path)).toBe(appDir);
  });

  it('an empty .automaker', () => {
    const project = projectWith([]);
    mkdirSync(project.at('.automaker'));
    expect(appDirectories().of(project.path)).toBe('.automaker');
  });

  it('folders in .knowledge but no file', () => {
    const project = projectWith(['.automaker/x']);
    mkdirSync(project.at('.knowledge/notes/deep'), { recursive: true });
    expect(appDirectories().of(project.path)).toBe('.automaker');
  });

  it('links in place of the folders', () => {
    const elsewhere = projectWith(['features/a/feature.json']);
    const project = projectWith([]);
    for (const name of ['.knowledge', '.automaker']) symlinkSync(elsewhere.path, project.at(name));
    expect(appDirectories().of(project.path)).toBe('.knowledge');
    expect(holdsKnowledge(project.at('.knowledge'))).toBe(false);
  });

  it('a configured name', () => {
    expect(appDirectories('.memory').of(projectWith(['.automaker/x']).path)).toBe('.memory');
  });
});

it('The choice is made again each time, for everybody who asks', () => {
  const project = projectWith([]);
  const [first, second] = [appDirectories(), appDirectories()];
  const chosen = () => [first.of(project.path), second.of(project.path)];
  expect(chosen()).toEqual(['.knowledge', '.knowledge']);
  project.write('.automaker/features/f-1/reflection.md', 'x');
  expect(chosen()).toEqual(['.automaker', '.automaker']);
  project.write('.knowledge/notes/a.md', 'x');
  expect(chosen()).toEqual(['.knowledge', '.knowledge']);
  rmSync(project.at('.knowledge'), { recursive: true });
  expect(chosen()).toEqual(['.automaker', '.automaker']);
});

it('A folder of very many empty folders is looked through in part', () => {
  const project = projectWith([]);
  for (let i = 0; i < 2_100; i += 1) mkdirSync(project.at(`.knowledge/${i}`), { recursive: true });
  expect(holdsKnowledge(project.at('.knowledge'))).toBe(false);
});

it('is found among 10,000 files as fast as among 1,000, because every access to a note asks for it', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `.knowledge/notes/${i}.md`);
  const [few, many] = [projectWith(names.slice(0, 1_000)), projectWith(names)];
  const takenBy = ({ path }: typeof few) => {
    const begin = performance.now();
    for (let i = 0; i < 20; i += 1) appDirectories().of(path);
    return performance.now() - begin;
  };
  // In turn, and the least of several, because other tests use the machine too. The system reads up to a thousand names
  // at once, so a smaller folder would be faster even to a reader that stops at the first name.
  const rounds = Array.from({ length: 8 }, () => [takenBy(few), takenBy(many)] as const);
  const [leastOfFew, leastOfMany] = [0, 1].map((which) =>
    Math.min(...rounds.map((round) => round[which] ?? 0)),
  );
  expect((leastOfMany ?? 0) / (leastOfFew ?? 0)).toBeLessThan(5);
});
