import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AllowedProjectDirectories } from '../../../src/adapters/files/allowed-project-directories.js';
import { tempDirectory } from '../../support/temp-project.js';

let base = '';
let directories: AllowedProjectDirectories;

beforeEach(() => {
  base = tempDirectory();
  for (const name of ['root/project', 'root-beside', 'outside']) {
    mkdirSync(join(base, name), { recursive: true });
  }
  directories = new AllowedProjectDirectories([join(base, 'root')]);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('the directories that may be projects', () => {
  it('are canonical, even through links', async () => {
    symlinkSync('root/project', join(base, 'link'));
    expect(await directories.resolve(join(base, 'link'))).toBe(join(base, 'root/project'));
    expect(await directories.resolve(join(base, 'root'))).toBe(join(base, 'root'));
  });

  it.each(['/', '/tmp/..', '//'])(
    'do not include %s, the root of the file system',
    async (path) => {
      await expect(new AllowedProjectDirectories([]).resolve(path)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  );

  it.each(['outside', 'outside/missing', 'root-beside', 'root/../outside', '.', 'root/out/x'])(
    'do not include %s, whether or not it exists',
    async (path) => {
      symlinkSync('../outside', join(base, 'root/out'));
      await expect(directories.resolve(`${base}/${path}`)).rejects.toMatchObject({
        code: 'path_not_allowed',
      });
    },
  );

  it.each(['root/missing', 'root/file', 'root/file/below', 'root/loop', 'root/dangling'])(
    'do not include %s, which is no directory',
    async (path) => {
      writeFileSync(join(base, 'root/file'), '');
      symlinkSync('loop', join(base, 'root/loop'));
      symlinkSync('nowhere', join(base, 'root/dangling'));
      await expect(directories.resolve(join(base, path))).rejects.toMatchObject({
        code: 'project_not_found',
      });
    },
  );

  it.each(['/.', '/../project', '/é'])(
    'have paths of at most 4,096 bytes: not many %j',
    async (part) => {
      const path = join(base, 'root/project');
      expect(await directories.resolve(`${path}/./../project`)).toBe(path);
      const long = path + part.repeat(1 + 4096 / Buffer.byteLength(part));
      await expect(directories.resolve(long)).rejects.toMatchObject({ code: 'project_not_found' });
    },
  );

  it.each(['relative/path', '~/project', '/a\0b'])(
    'do not include %j, which is not absolute',
    async (path) => {
      const everywhere = new AllowedProjectDirectories([]);
      await expect(everywhere.resolve(path)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('stay below the roots while a link is swapped between inside and outside', async () => {
    const link = join(base, 'root/link');
    const swaps = swapLinks(link, [join(base, 'root/project'), join(base, 'outside')]);
    const found = new Set<string | undefined>();
    for (let round = 0; round < 1500; round += 1) {
      found.add(await directories.resolve(link).catch(() => undefined));
    }
    swaps.stop();
    expect([...found]).not.toContain(join(base, 'outside'));
    expect([...found]).toContain(join(base, 'root/project'));
  });
});

describe('a file that is read', () => {
  const project = () => join(base, 'root/project');

  it('may be relative to the project, and need not exist', async () => {
    expect(await directories.resolveFile(project(), 'a.db')).toBe(join(project(), 'a.db'));
    expect(await directories.resolveFile(project(), '../b/c.db')).toBe(join(base, 'root/b/c.db'));
    expect(await directories.resolveFile(project(), `${base}/root/d.db`)).toBe(
      join(base, 'root/d.db'),
    );
  });

  it.each(['../../outside/a.db', 'link/a.db', '/etc/passwd'])(
    'is below the roots, not %s',
    async (path) => {
      symlinkSync('../../outside', join(project(), 'link'));
      await expect(directories.resolveFile(project(), path)).rejects.toMatchObject({
        code: 'path_not_allowed',
        message: expect.stringMatching(/^path is outside/),
      });
    },
  );
});

/** Points a link at one target after the other, atomically, whenever the event loop has time. */
function swapLinks(link: string, targets: readonly string[]): { readonly stop: () => void } {
  let turn = 0;
  let next: NodeJS.Immediate | undefined;
  const swap = (): void => {
    symlinkSync(targets[turn % targets.length] ?? '', `${link}.new`);
    renameSync(`${link}.new`, link);
    turn += 1;
    next = setImmediate(swap);
  };
  swap();
  return { stop: () => clearImmediate(next) };
}
