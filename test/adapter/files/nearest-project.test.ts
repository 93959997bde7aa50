import { lchownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { nearestProject, nearestStore } from '../../../src/adapters/files/nearest-project.js';
import { worktreeText } from '../../../src/adapters/files/worktree-text.js';
import { linkedWorktree } from '../../support/linked-worktree.js';
import { TempProject, tempDirectory } from '../../support/temp-project.js';

let main: TempProject;
let worktree: string;

beforeEach(() => {
  main = new TempProject({ 'docs/a.md': '# A\n' });
  worktree = linkedWorktree(main.path);
});
afterEach(() => main.remove());

test.each(['.knowledge', '.knowledge/knowledge.db'])('a %s that leads nowhere is none', (name) => {
  mkdirSync(dirname(join(worktree, name)), { recursive: true });
  symlinkSync(basename(name), join(worktree, name));
  expect(nearest(worktree)).toBe(worktree);
  expect(nearestStore(worktree, appDirectories())).toBeUndefined();
});

describe.runIf(process.getuid?.() === 0)('a repository of another user', () => {
  const STRANGER = 65_534;
  let shared: string;
  let own: string;

  beforeEach(() => {
    shared = tempDirectory();
    own = join(shared, 'own');
    mkdirSync(own);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a folder of this user', (path: string) => symlinkSync(own, path)],
  ])('takes in no folder of this user below it: %s', (_, make) => {
    make(join(shared, '.git'));
    lchownSync(join(shared, '.git'), STRANGER, STRANGER);
    expect(nearest(own)).toBe(own);
    expect(nearest(shared)).toBe(shared);
  });

  test('also accepts files of that user', () => {
    mkdirSync(join(shared, '.git'));
    for (const path of [own, join(shared, '.git')]) lchownSync(path, STRANGER, STRANGER);
    expect(nearest(own)).toBe(shared);
  });
});

describe('a linked worktree', () => {
  test.each<[what: string, path: string]>([
    ['notes', '.knowledge/notes/a.md'],
    ['settings', '.knowledge/settings.json'],
    ['a database', '.knowledge/knowledge.db'],
  ])('belongs to a main checkout with %s, from any folder in it', (_, path) => {
    main.write(path, '{}');
    expect(nearest(worktree)).toBe(main.path);
    expect(nearest(join(worktree, 'docs'))).toBe(main.path);
    expect(nearest(main.path)).toBe(main.path);
  });

  test.each(['notes/a.md', 'settings.json'])(
    'shares the store where it has a committed .knowledge/%s',
    (name) => {
      main.write('.knowledge/knowledge.db', '');
      write(join(worktree, '.knowledge', name), '{}');
      expect(nearest(worktree)).toBe(main.path);
      expect(nearestStore(join(worktree, 'docs'), appDirectories())).toBe(main.path);
    },
  );

  test('is a project of its own if the main checkout has no store', () => {
    expect(nearest(join(worktree, 'docs'))).toBe(worktree);
  });

  test('is a project of its own with its own database', () => {
    main.write('.knowledge/notes/a.md', 'text');
    write(join(worktree, '.knowledge/knowledge.db'), '');
    expect(nearest(worktree)).toBe(worktree);
  });

  test('is a project of its own after it was moved by hand', () => {
    main.write('.knowledge/notes/a.md', 'text');
    write(join(main.path, '.git/worktrees/linked/gitdir'), join(tempDirectory(), '.git'));
    expect(nearest(worktree)).toBe(worktree);
  });
});

describe('a folder of a linked worktree with a project of its own in the main checkout', () => {
  let folder: string;
  beforeEach(() => {
    main.write('docs/.knowledge/notes/b.md', 'text');
    folder = join(worktree, 'docs');
  });

  test('belongs to that project', () => {
    expect(nearest(folder)).toBe(main.at('docs'));
    expect(store(folder)).toBe(main.at('docs'));
    write(join(folder, '.knowledge/notes/a.md'), 'committed');
    expect(nearest(folder)).toBe(main.at('docs'));
    expect(nearest(worktree)).toBe(worktree);
  });

  test('says how its own files differ', () => {
    const difference = worktreeText(folder, appDirectories(), tempDirectory());
    expect(difference?.('a.md')).toBeUndefined();
    write(join(folder, 'a.md'), '# Changed\n');
    expect(difference?.('a.md')).toContain('differs');
  });

  test('is a project of its own with its own database', () => {
    for (const name of ['knowledge.db', 'notes/b.md'])
      write(join(folder, '.knowledge', name), 'text');
    expect(nearest(folder)).toBe(folder);
  });

  test('belongs to the whole project if a database is all it has', () => {
    main.delete('docs/.knowledge/notes');
    for (const path of ['docs/.knowledge/knowledge.db', '.knowledge/knowledge.db'])
      main.write(path, '');
    expect([nearest(main.at('docs')), nearest(folder)]).toEqual([main.path, main.path]);
  });

  test.each([
    ['the main checkout', () => [main.at('docs'), worktree]],
    ['the worktree', () => [folder, worktree]],
  ])('gets no other project by a link in %s', (_, places) => {
    const [link = '', expected] = places();
    const other = new TempProject({ '.knowledge/notes/a.md': 'text' });
    rmSync(link, { recursive: true });
    symlinkSync(other.path, link);
    expect(nearest(join(worktree, 'docs'))).not.toBe(other.path);
    expect(nearest(worktree)).toBe(expected);
    other.remove();
  });
});

describe('the store of a working directory of an agent', () => {
  test.each<[what: string, path: string]>([
    ['a database', '.knowledge/knowledge.db'],
    ['a key for PostgreSQL', '.knowledge/project-key'],
  ])('is %s above it, and in a linked worktree that of the main checkout', (_, path) => {
    expect(store(join(worktree, 'docs'))).toBeUndefined();
    main.write(path, '');
    expect(store(join(main.path, 'docs/gone'))).toBe(main.path);
    expect(store(join(worktree, 'docs'))).toBe(main.path);
    write(join(worktree, path), '');
    expect(store(join(worktree, 'docs'))).toBe(worktree);
  });
});

describe('a forged file .git leads nowhere', () => {
  test.each<[what: string, link: (record: string) => string]>([
    ['names the worktree of another', (record) => `gitdir: ${record}\n`],
    ['names the git folder itself', (record) => `gitdir: ${join(record, '../..')}\n`],
    ['names what is not there', (record) => `gitdir: ${record}-gone\n`],
    ['is no link', () => 'text\n'],
    ['is empty', () => ''],
  ])('if it %s', (_, link) => {
    main.write('.knowledge/notes/a.md', 'text');
    const forged = tempDirectory();
    write(join(forged, '.git'), link(join(main.path, '.git/worktrees/linked')));
    expect(nearest(forged)).toBe(forged);
    expect(store(forged)).toBeUndefined();
  });
});

// Helpers

function nearest(directory: string): string | undefined {
  return nearestProject(directory, appDirectories(undefined), tempDirectory());
}

function store(directory: string): string | undefined {
  return nearestStore(directory, appDirectories(undefined), tempDirectory());
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
