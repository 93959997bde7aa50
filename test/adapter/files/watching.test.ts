import { linkSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemSourceWatcher } from '../../../src/adapters/files/watch/file-system-source-watcher.js';
import type { WatchLimits } from '../../../src/adapters/files/watch/watch-limits.js';
import type { ChangedPaths, SourceWatch } from '../../../src/ports/driven/source-watcher.js';
import { eventually } from '../../support/running-service.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
let project: TempProject;
let watching: SourceWatch;
let reported: ChangedPaths[];

beforeEach(() => {
  project = projects.make({ 'a.md': 'a', 'docs/b.md': 'b', 'docs/deep/c.md': 'c' });
});
afterEach(() => watching.stop());
afterAll(() => projects.removeAll());

describe.each<readonly [string, WatchLimits]>([
  ['where folders are watched', {}],
  ['where no folder can be watched', { maxFolders: 0, pollEveryMs: 20 }],
  ['where not all folders can be watched', { maxFolders: 2, pollEveryMs: 20 }],
])('%s', (_, limits) => {
  beforeEach(() => start(limits));

  it('a file is reported that is written, made or deleted', async () => {
    project.write('docs/deep/c.md', 'another c');
    await isReported('docs/deep/c.md');
    project.write('docs/d.md', 'd');
    await isReported('docs/d.md');
    project.delete('a.md');
    await isReported('a.md');
  });

  it('a file is reported whose folder is new or renamed', async () => {
    project.write('new/folder/d.md', 'd');
    await isReported('new/folder/d.md');
    renameSync(project.at('docs'), project.at('guides'));
    await isReported('docs/b.md');
    await isReported('guides/deep/c.md');
  });

  it('nothing is reported of folders that are no sources, nor after the end', async () => {
    project.writeAll({ 'node_modules/x/x.md': 'x', 'build/x.md': 'x', 'docs/x.ts': 'x' });
    await pause(150);
    expect(reported).toEqual([]);
    await watching.stop();
    project.write('a.md', 'another a');
    await pause(150);
    expect(reported).toEqual([]);
  });
});

describe('a comparison', () => {
  /** Writes a file in a way that the system does not tell of. */
  let write: (text: string) => void;

  beforeEach(() => {
    const outside = projects.make({ 'same.md': 'x' });
    linkSync(outside.at('same.md'), project.at('same.md'));
    // The system tells of a write only in the folder through which the file was written.
    write = (text) => writeFileSync(outside.at('same.md'), text);
  });

  it('finds what the system does not tell of, and is then made at the other interval', async () => {
    await start({ checkEveryMs: 1_200, pollEveryMs: 60_000 });
    write('written elsewhere');
    await isReported('same.md');
    expect(reported.flat()).toEqual(['same.md']);
    reported = [];
    write('written elsewhere once more');
    await pause(1_800);
    expect(reported).toEqual([]);
  });

  it('stays at its interval, and repeats nothing, where the system tells of changes', async () => {
    await start({ checkEveryMs: 1_200, pollEveryMs: 60_000 });
    project.write('a.md', 'another a');
    project.write('new/d.md', 'd');
    await isReported('a.md');
    await isReported('new/d.md');
    await pause(2_000);
    reported = [];
    project.write('docs/b.md', 'another b');
    await isReported('docs/b.md');
    reported = [];
    write('written elsewhere');
    await isReported('same.md');
    expect(reported).toEqual([['same.md']]);
  });
});

it('a comparison does not follow the last one at once, however often it is to be made', async () => {
  const many = Array.from({ length: 300 }, (_, number) => [`many/${number}/x.md`, 'x']);
  project.writeAll(Object.fromEntries(many));
  await start({ maxFolders: 0, pollEveryMs: 0 });
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await pause(600);
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1000 / (performance.now() - startedAt);
  expect(share).toBeLessThan(0.5);
});

/** Resolves once the first comparison is done, which reports that anything may have changed. */
async function start(limits: WatchLimits): Promise<void> {
  reported = [];
  watching = new FileSystemSourceWatcher(appDirectories('.knowledge'), limits).watch(
    project.path,
    { ignore: true },
    (paths) => reported.push(paths),
  );
  await eventually(() => reported.length > 0);
  reported = [];
}

/** A path is reported by itself, or by a folder above it. */
function isReported(path: string): Promise<unknown> {
  const isMeant = (changed: string) => path === changed || path.startsWith(`${changed}/`);
  return eventually(() => reported.flat().some((changed) => isMeant(changed ?? '')));
}
