import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { openFolder } from '../../../src/adapters/files/open-folder.js';
import { writeNew } from '../../../src/adapters/files/place-file.js';
import { writeInside } from '../../../src/adapters/files/write-inside.js';
import { testProjects } from '../../support/test-projects.js';

const GOTCHAS = '.knowledge/memory/gotchas.md';

const projects = testProjects();

const files = new FileSystemProjectFiles(appDirectories('.knowledge'));

function outsideFile(): string {
  return projects.make({ 'precious.txt': 'precious' }).at('precious.txt');
}

describe('writing a file of a project', () => {
  test('creates no temporary file if a link is in its place', async () => {
    const [project, outside] = [projects.make(), outsideFile()];
    symlinkSync(outside, project.at('guessed.tmp'));
    const writing = writeNew(project.at('guessed.tmp'), { content: ['new'] });
    await expect(writing).rejects.toThrow('EEXIST');
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  });

  test('replaces a hard link and leaves the file at its other end alone', async () => {
    const [project, outside] = [projects.make({ [GOTCHAS]: 'old' }), outsideFile()];
    rmSync(project.at(GOTCHAS));
    linkSync(outside, project.at(GOTCHAS));
    await files.writeText(project.path, GOTCHAS, 'new');
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  });

  test('is refused if a file is in the place of its folder', async () => {
    const project = projects.make({ 'docs/a.md': 'a file' });
    const refused = {
      code: 'invalid_request',
      message: expect.stringContaining('a file is where'),
    };
    const writing = files.writeText(project.path, 'docs/a.md/b.md', 'new');
    await expect(writing).rejects.toMatchObject(refused);
    const creating = files.createText(project.path, 'docs/a.md/c/b.md', 'new');
    await expect(creating).rejects.toMatchObject(refused);
  });

  test('keeps an edit that is made while the new text is written', async () => {
    const project = projects.make({ [GOTCHAS]: 'old' });
    const content = (async function* () {
      yield 'new';
      writeFileSync(project.at(GOTCHAS), 'edited');
    })();
    const isExpected = () => readFileSync(project.at(GOTCHAS), 'utf8') === 'old';
    expect(await writeInside(project.path, GOTCHAS, { content, isExpected })).toBe(false);
    expect(readFileSync(project.at(GOTCHAS), 'utf8')).toBe('edited');
  });

  test.each([0o600, 0o640, 0o664])('keeps the permissions %o of the file', async (mode) => {
    const project = projects.make({ [GOTCHAS]: 'old' });
    chmodSync(project.at(GOTCHAS), mode);
    await files.writeText(project.path, GOTCHAS, 'new');
    expect(statSync(project.at(GOTCHAS)).mode & 0o777).toBe(mode);
  });

  test('gives a new file the usual permissions', async () => {
    const project = projects.make();
    writeFileSync(project.at('plain'), '');
    await files.writeText(project.path, GOTCHAS, 'new');
    expect(statSync(project.at(GOTCHAS)).mode).toBe(statSync(project.at('plain')).mode);
  });

  test('gives a copy the permissions of its original, in folders of its owner', async () => {
    const project = projects.make({ [GOTCHAS]: 'old' });
    chmodSync(project.at(GOTCHAS), 0o600);
    await files.copy(project.path, GOTCHAS, '.knowledge/memory/.history/gotchas.md');
    const mode = (path: string) => statSync(project.at(path)).mode & 0o777;
    expect(mode('.knowledge/memory/.history/gotchas.md')).toBe(0o600);
    expect(mode('.knowledge/memory/.history')).toBe(0o700);
  });

  test('copies nothing through a link out of the project', async () => {
    const project = projects.make({ '.knowledge/memory/other.md': 'x' });
    symlinkSync(outsideFile(), project.at(GOTCHAS));
    const copying = files.copy(project.path, GOTCHAS, '.knowledge/memory/.history/gotchas.md');
    await expect(copying).rejects.toMatchObject({ code: 'path_not_allowed' });
    expect(readdirSync(project.at('.knowledge/memory')).toSorted()).toEqual([
      'gotchas.md',
      'other.md',
    ]);
  });

  test('does not lend the rights of the owner', async () => {
    const project = projects.make({ [GOTCHAS]: 'old' });
    chmodSync(project.at(GOTCHAS), 0o4755);
    await files.writeText(project.path, GOTCHAS, 'new');
    expect(statSync(project.at(GOTCHAS)).mode & 0o7777).toBe(0o755);
  });

  test('leaves only the file behind, even if many write it at once', async () => {
    const project = projects.make();
    const texts = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(10_000));
    await Promise.all(texts.map((text) => files.writeText(project.path, GOTCHAS, text)));
    expect(readdirSync(project.at('.knowledge/memory'))).toEqual(['gotchas.md']);
    expect(texts).toContain(readFileSync(project.at(GOTCHAS), 'utf8'));
  });

  test('leaves no temporary file when it fails', async () => {
    const project = projects.make();
    const name = `${'n'.repeat(300)}.md`;
    await expect(
      files.writeText(project.path, `.knowledge/memory/${name}`, 'new'),
    ).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(readdirSync(project.at('.knowledge/memory'))).toEqual([]);
  });

  test.each(['memory', '.knowledge'])(
    'is refused where a link to nowhere stands in the place of a folder (%s)',
    async (folder) => {
      const project = projects.make();
      const link = folder === 'memory' ? '.knowledge/memory' : folder;
      if (folder === 'memory') mkdirSync(project.at('.knowledge'));
      symlinkSync('/nowhere/at/all', project.at(link));
      await expect(files.writeText(project.path, GOTCHAS, 'new')).rejects.toMatchObject({
        code: 'path_not_allowed',
      });
    },
  );
});

const NOTE = '.knowledge/notes/a.md';

describe('creating a file of a project', () => {
  test('writes one that does not exist, with its folders', async () => {
    const project = projects.make();
    expect(await files.createText(project.path, NOTE, 'new')).toBe(true);
    expect(readFileSync(project.at(NOTE), 'utf8')).toBe('new');
    expect(readdirSync(project.at('.knowledge/notes'))).toEqual(['a.md']);
  });

  test('leaves one that exists alone, even if it may not be read', async () => {
    const project = projects.make({ [NOTE]: Buffer.from([0xff, 0xff, 0xff]) });
    chmodSync(project.at(NOTE), 0);
    expect(await files.createText(project.path, NOTE, 'new')).toBe(false);
    chmodSync(project.at(NOTE), 0o600);
    expect(readFileSync(project.at(NOTE)).length).toBe(3);
    expect(readdirSync(project.at('.knowledge/notes'))).toEqual(['a.md']);
  });

  test('succeeds once of many times at once', async () => {
    const project = projects.make();
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
    const created = await Promise.all(
      texts.map((text) => files.createText(project.path, NOTE, text)),
    );
    const winners = texts.filter((_, index) => created[index]);
    expect(winners).toEqual([readFileSync(project.at(NOTE), 'utf8')]);
    expect(readdirSync(project.at('.knowledge/notes'))).toEqual(['a.md']);
  });

  test.each(['.knowledge', '.knowledge/notes', NOTE])(
    'is refused where %s is a link that leads out',
    async (link) => {
      const [project, outside] = [projects.make(), projects.make({ [NOTE]: 'precious' })];
      mkdirSync(dirname(project.at(link)), { recursive: true });
      symlinkSync(outside.at(link), project.at(link));
      for (const write of [
        () => files.createText(project.path, NOTE, 'new'),
        () => files.writeText(project.path, NOTE, 'new'),
        () => files.deleteFile(project.path, NOTE),
      ]) {
        await expect(write()).rejects.toMatchObject({ code: 'path_not_allowed' });
      }
      expect(readFileSync(outside.at(NOTE), 'utf8')).toBe('precious');
    },
  );
});

describe('deleting a file of a project', () => {
  test('removes the file alone', async () => {
    const project = projects.make({ [NOTE]: 'old', '.knowledge/notes/b.md': 'other' });
    expect(await files.deleteFile(project.path, NOTE)).toBe(true);
    expect(readdirSync(project.at('.knowledge/notes'))).toEqual(['b.md']);
  });

  test('creates nothing if there is nothing to delete', async () => {
    const project = projects.make();
    expect(await files.deleteFile(project.path, NOTE)).toBe(false);
    expect(readdirSync(project.path)).toEqual([]);
  });

  test('is refused for a folder', async () => {
    const project = projects.make({ [`${NOTE}/deeper.md`]: 'text' });
    await expect(files.deleteFile(project.path, NOTE)).rejects.toMatchObject({
      code: 'path_not_allowed',
      message: `${NOTE} cannot be deleted: it is not a regular file.`,
    });
  });
});

test('a link that replaces an open folder is not followed', async () => {
  const [project, outside] = [projects.make({ 'folder/a.md': '' }), projects.make()];
  const folder = openFolder(project.path, 'folder');
  renameSync(project.at('folder'), project.at('moved'));
  symlinkSync(outside.path, project.at('folder'));
  if (process.platform === 'linux') writeFileSync(folder.at('b.md'), 'new');
  expect(() => folder.check()).toThrow('replaced');
  folder.close();
  expect(readdirSync(outside.path)).toEqual([]);
});
