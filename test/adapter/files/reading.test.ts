import {
  chmodSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { isInPlace, RefusedFile, readOpened } from '../../../src/adapters/files/inside-project.js';
import type { TextFile } from '../../../src/ports/project-files.js';
import { rememberOpened } from '../../../src/shared/opened-databases.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const files = new FileSystemProjectFiles(appDirectories('.knowledge'));
const projects = testProjects();
let project: TempProject;

beforeEach(() => {
  project = projects.make();
});

it('says whether a file has been left alone for a while', async () => {
  project.write('a.md', 'new');
  expect(await files.readText(project.path, 'a.md')).toMatchObject({ isSettled: false });
  const repository = realpathSync('.');
  expect(await files.readText(repository, 'LICENSE')).toMatchObject({ isSettled: true });
});

it('skips a file whose name is not UTF-8, with a reason', async () => {
  writeFileSync(Buffer.from(`${project.path}/caf\xe9.md`, 'latin1'), 'x');
  const patterns = { include: ['**/*.md'], exclude: [], ignore: true };
  const { paths } = await files.listMarkdown(project.path, patterns);
  expect(paths).toEqual(['caf\ufffd.md']);
  expect(await files.readText(project.path, paths[0] ?? '')).toEqual({
    skipped: 'its name is not UTF-8: rename it',
  });
});

it('finds nothing at a path with a NUL, such as a hostile database may name', async () => {
  expect(await files.readText(project.path, 'a\0.md')).toBeUndefined();
  expect(await files.statOf(project.path, 'a\0.md')).toBeUndefined();
});

describe('a database of ours', () => {
  it.each([
    ['by its name', '.knowledge/knowledge.db'],
    ['by a link with another name', 'docs/x.md'],
    ['by a link to a folder', 'linked/knowledge.db-wal'],
    ['of a project inside', 'sub/.automaker/knowledge.db.replaced-2026'],
  ])('is never opened %s', async (_, path) => {
    project.writeAll({
      '.knowledge/knowledge.db': 'x',
      '.knowledge/knowledge.db-wal': 'x',
      'docs/a.md': 'a',
      'sub/.automaker/knowledge.db.replaced-2026': 'x',
    });
    symlinkSync('../.knowledge/knowledge.db', project.at('docs/x.md'));
    symlinkSync('.knowledge', project.at('linked'));
    const skipped = { skipped: 'it is a database of the knowledge store', kind: 'no file' };
    expect(await files.readText(project.path, path)).toEqual(skipped);
    expect(await files.readTail(project.path, path, 10)).toEqual(skipped);
    expect(() => readOpened(project.path, path, () => 0)).toThrow(RefusedFile);
  });
});

it('a second name of a database that is open here is never opened', async () => {
  project.writeAll({ '.knowledge/knowledge.db': 'x', 'docs/a.md': 'a' });
  linkSync(project.at('.knowledge/knowledge.db'), project.at('docs/x.md'));
  linkSync(project.at('docs/a.md'), project.at('docs/b.md'));
  const { dev, ino } = lstatSync(project.at('.knowledge/knowledge.db'), { bigint: true });
  const connection = { open: true };
  rememberOpened(connection, `${dev} ${ino}`);
  const skipped = { skipped: 'it is a database of the knowledge store', kind: 'no file' };
  expect(await files.readText(project.path, 'docs/x.md')).toEqual(skipped);
  expect(await files.readText(project.path, 'docs/b.md')).toMatchObject({ text: 'a' });
  connection.open = false;
  expect(await files.readText(project.path, 'docs/x.md')).toMatchObject({ text: 'x' });
});

it('reveals nothing about files outside the project', async () => {
  const outside = projects.make({ 'secret.txt': 'x' });
  symlinkSync(outside.path, project.at('linked'));
  for (const there of [`${relative(project.path, outside.path)}/secret.txt`, 'linked/secret.txt']) {
    expect(await files.exists(project.path, there)).toBe(false);
    expect(await files.exists(project.path, there.replace('secret', 'other'))).toBe(false);
  }
  expect(await files.exists(project.path, 'linked')).toBe(true);
});

describe('a tree of very many levels', () => {
  it('is read down to 64 levels, and deeper folders are reported', async () => {
    const folder = (levels: number) => Array.from({ length: levels }, () => 'd').join('/');
    for (const levels of [1, 64, 65, 200]) project.write(`${folder(levels)}/a.md`, 'a');
    project.write(`.knowledge/documents/${folder(200)}/b.md`, 'b');
    const patterns = { include: ['**/*.md'], exclude: [], ignore: true };
    const { paths, unreadable } = await files.listMarkdown(project.path, patterns);
    expect(paths).toEqual([`${folder(64)}/a.md`, `${folder(1)}/a.md`].toSorted());
    expect(unreadable).toEqual([folder(65)]);
    const below = await files.listBelow(project.path, '.knowledge/documents');
    expect(below).toEqual({ paths: [], unreadable: [`.knowledge/documents/${folder(63)}`] });
  });
});

it('skips a source above 2 MiB, and reads one of exactly 2 MiB', async () => {
  const limit = 2 * 1024 * 1024;
  for (const [unit, name] of [
    ['a', 'letters.md'],
    ['\n', 'lines.md'],
  ] as const) {
    project.write(name, unit.repeat(limit));
    expect(await files.readText(project.path, name)).toHaveProperty('text.length', limit);
    project.write(name, unit.repeat(limit + 1));
    expect(await files.readText(project.path, name)).toEqual({ skipped: 'it is larger than 2 MB' });
  }
});

describe('the text of a file', () => {
  const text = '# Café 😀\nline\r\n';

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little-endian', utf16(text)],
    ['UTF-16, big-endian', utf16(text).swap16()],
  ])('is read from %s', async (_, bytes) => {
    project.write('a.md', bytes);
    expect(await files.readText(project.path, 'a.md')).toMatchObject({ text });
    expect(await files.readTail(project.path, 'a.md', 8)).toMatchObject({ text: '\nline\r\n' });
    expect(await files.readTail(project.path, 'a.md', 9)).toMatchObject({ text: '😀\nline\r\n' });
  });

  it('is empty for an empty file', async () => {
    project.write('a.md', '');
    expect(await files.readText(project.path, 'a.md')).toMatchObject({ text: '' });
    expect(await files.readTail(project.path, 'a.md', 2000)).toMatchObject({ text: '' });
  });

  it.each([
    ['Latin-1', Buffer.from('caf\xe9 gnu', 'latin1'), /not encoded as UTF-8/],
    ['UTF-8 that ends in a character', Buffer.from('café').subarray(0, 4), /not encoded as UTF-8/],
    ['UTF-16 without a byte-order mark', Buffer.from('text', 'utf16le'), /byte-order mark/],
    ['UTF-16 of an odd length', utf16('text').subarray(0, 9), /damaged UTF-16/],
    ['UTF-16 with half a pair', utf16('a\uD83Db'), /damaged UTF-16/],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 97, 0, 0, 0, 98, 0, 0, 0]), /byte-order mark/],
  ])('is refused with the reason where it is %s', async (_, bytes, reason) => {
    project.write('a.md', bytes);
    expect(await files.readText(project.path, 'a.md')).toEqual({
      skipped: expect.stringMatching(reason),
    });
    expect(await files.readTail(project.path, 'a.md', 2000)).toEqual({
      skipped: expect.stringMatching(reason),
    });
  });

  it('may hold a few NULs, which become replacement characters', async () => {
    project.write('a.md', 'before\0after a gnu');
    expect(await files.readText(project.path, 'a.md')).toMatchObject({
      text: 'before\uFFFDafter a gnu',
    });
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('has a tail of %i whole characters', async (characters) => {
    for (const encode of [Buffer.from, utf16, (all: string) => utf16(all).swap16()]) {
      for (const all of [`${'é'.repeat(50)}a€😀b`, '😀'.repeat(50)]) {
        project.write('a.md', encode(all));
        const tail = all.slice(-characters);
        const text = /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
        expect(await files.readTail(project.path, 'a.md', characters)).toMatchObject({ text });
      }
    }
  });
});

describe('facts about a file that is not opened', () => {
  it('is its size, and the version that it has when it is read', async () => {
    project.write('a.md', 'café');
    const stat = await files.statOf(project.path, 'a.md');
    const { version } = (await files.readText(project.path, 'a.md')) as TextFile;
    expect(stat).toEqual({ bytes: 5, version, modifiedAt: expect.any(Date) });
    chmodSync(project.at('a.md'), 0o600);
    expect(await files.statOf(project.path, 'a.md')).not.toEqual(stat);
  });

  it('is whether it is still the one that was read', async () => {
    project.write('a.md', 'one');
    const { version } = (await files.readText(project.path, 'a.md')) as TextFile;
    expect(await files.isStill(project.path, 'a.md', version)).toBe(true);
    symlinkSync('a.md', project.at('link.md'));
    expect(await files.isStill(project.path, 'link.md', version)).toBe(true);
    project.write('b.md', 'one');
    renameSync(project.at('b.md'), project.at('a.md'));
    expect(await files.isStill(project.path, 'a.md', version)).toBe(false);
    expect(await files.isStill(project.path, 'none.md', version)).toBe(false);
  });

  it('tells whether it is still where it was opened, even after its folder has moved', () => {
    project.write('docs/a.md', 'a');
    const path = project.at('docs/a.md');
    const opened = lstatSync(path, { bigint: true });
    expect(isInPlace(project.path, path, opened)).toBe(true);
    renameSync(project.at('docs'), project.at('moved'));
    expect(isInPlace(project.path, path, opened)).toBe(false);
  });

  it('are absent for paths outside the project, folders and missing files', async () => {
    const outside = projects.make({ 'x.md': 'secret' });
    symlinkSync(outside.path, project.at('link'));
    project.write('docs/a.md', 'a');
    expect(await files.statOf(project.path, 'link/x.md')).toMatchObject({
      skipped: 'it leads out of the project',
    });
    expect(await files.statOf(project.path, 'docs')).toEqual({
      skipped: 'it is not a regular file',
      kind: 'no file',
    });
    expect(await files.statOf(project.path, 'docs/b.md')).toBe(undefined);
  });
});

describe('lists of files', () => {
  it('are sorted and name the existing files', async () => {
    project.writeReflection('f-2', 'x');
    project.writeReflection('f-1', 'x');
    project.writeMemory('api', 'x');
    project.writeMemory('_index', 'x');
    project.writeAll({ 'docs/b.md': 'b', 'docs/a.md': 'a' });
    expect(await files.listFolder(project.path, '.knowledge/features')).toEqual(
      listing('f-1', 'f-2'),
    );
    expect(await files.listFolder(project.path, '.knowledge/memory')).toEqual(
      listing('_index.md', 'api.md'),
    );
    expect(await markdown()).toEqual(listing('docs/a.md', 'docs/b.md'));
  });

  it('are empty if a folder does not exist, is a file, or leads out of the project', async () => {
    expect(await files.listFolder(project.path, '.knowledge/features')).toEqual(listing());
    project.write('.knowledge/features', 'a file');
    symlinkSync('/', project.at('.knowledge/memory'));
    expect(await files.listFolder(project.path, '.knowledge/features')).toEqual(listing());
    const told = { path: '.knowledge/memory/', why: 'it is a link out of the project', remedy: '' };
    expect(await files.listFolder(project.path, '.knowledge/memory')).toEqual({
      ...listing(),
      leftOut: [told],
    });
  });

  it('list links to folders among notes', async () => {
    project.writeAll({ '.knowledge/notes/a.md': 'a', 'docs/b.md': 'b' });
    symlinkSync('../../docs', project.at('.knowledge/notes/linked'));
    symlinkSync('../../docs/b.md', project.at('.knowledge/notes/b.md'));
    const why = 'links to folders are not followed';
    expect(await files.listBelow(project.path, '.knowledge/notes')).toEqual({
      ...listing('.knowledge/notes/a.md', '.knowledge/notes/b.md'),
      leftOut: [{ path: '.knowledge/notes/linked/', why, remedy: '' }],
    });
  });

  it('name the folders that exist but cannot be read', async () => {
    project.writeAll({ 'docs/a.md': 'a', 'docs/deep/b.md': 'b' });
    project.writeReflection('f', 'x');
    for (const path of ['', 'docs']) chmodSync(project.at(path), 0o755);
    for (const path of ['docs/deep', '.knowledge']) chmodSync(project.at(path), 0);
    await withoutPrivileges(async () => {
      expect(await files.listFolder(project.path, '.knowledge/features')).toEqual({
        paths: [],
        unreadable: ['.knowledge/features'],
      });
      expect(await files.listFolder(project.path, '.knowledge/memory')).toMatchObject({
        unreadable: ['.knowledge/memory'],
      });
      expect(await markdown()).toEqual({ paths: ['docs/a.md'], unreadable: ['docs/deep'] });
    });
    for (const path of ['docs/deep', '.knowledge']) chmodSync(project.at(path), 0o755);
  });
});

it.each(['EIO', 'EDEADLK', 'ESTALE', 'ETIMEDOUT'])(
  'refuses a file at which the system fails with %s while it is read',
  (code) => {
    project.write('a.md', 'a');
    const failing = () => {
      throw Object.assign(new Error(`${code}: read`), { code });
    };
    expect(() => readOpened(project.path, 'a.md', failing)).toThrow(RefusedFile);
  },
);

it('rethrows errors that are not from the file system', () => {
  project.write('a.md', 'a');
  const failing = () => {
    throw Object.assign(new TypeError('a bug'), { code: 'ERR_OUT_OF_RANGE' });
  };
  expect(() => readOpened(project.path, 'a.md', failing)).toThrow(TypeError);
});

function utf16(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}

function markdown() {
  return files.listMarkdown(project.path, { include: ['**/*.md'], exclude: [], ignore: true });
}

function listing(...paths: readonly string[]) {
  return { paths, unreadable: [] };
}

/** The superuser can read everything, so permissions can only be tested as another user. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
