import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { tinyModelEnvironment } from '../../bench/faults/tiny-model-environment.js';
import { chunksIn, verifyDatabase } from '../support/database-inspection.js';
import { succeeds } from '../support/processes.js';
import { eventually, runCommand } from '../support/running-service.js';
import { error, errorOf, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, tempDirectory } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();
const client = await startClient('hybrid');
afterAll(() => client.service.stop());
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) succeeds('umount', '-l', mount);
});

const mayMount = succeeds('mount', '-t', 'tmpfs', 'tmpfs', mountPoint());
if (!mayMount) console.warn('mount is not allowed here: read-only and full disks are not tested.');

describe('a place that cannot be written', () => {
  test.runIf(mayMount)('read-only: existing stores are searched, others get 503', async () => {
    const project = projects.make({ 'a.md': 'the tapir' });
    const bare = projects.make({ 'a.md': 'the tapir' });
    const withFolder = projects.make({ '.knowledge/memory/m.md': 'the tapir' });
    const other = await startClient('search-only');
    okBody(await other.rebuild(project));
    await other.service.stop();
    for (const each of [project, bare, withFolder]) readOnly(each.path);
    expect(await client.ids(project, 'tapir')).toEqual(['a.md#0']);
    expect(await client.ids(project, 'the "tapir"')).toEqual(['a.md#0']);
    expect(okBody(await client.stats(project)).totalChunks).toBe(1);
    expect(errorOf(await client.rebuild(project))).toEqual(error(503, 'store_unavailable'));
    for (const each of [bare, withFolder]) {
      for (const answer of [
        await client.search(each, 'x'),
        await client.stats(each),
        await client.rebuild(each),
      ]) {
        expect(errorOf(answer)).toEqual(error(503, 'store_unavailable'));
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    // Counts may follow the answer, and the log comes through a pipe.
    await eventually(() => /could not be counted/i.test(client.service.stderr()));
  });

  test.runIf(mayMount)('read-only: a command says so on one line; in memory it works', async () => {
    const project = projects.make({ '.git/HEAD': '', 'a.md': 'the tapir' });
    readOnly(project.path);
    for (const words of [
      'search tapir',
      'ingest',
      'note add Title Text',
      'init',
      'connect claude',
    ]) {
      const { code, out, err } = await runCommand(words.split(' '), project.path);
      expect({ words, code, out }).toEqual({ words, code: 1, out: '' });
      expect(err).toMatch(/^knowledge-store: [^\n]*(cannot be|KNOWLEDGE_STORE=memory)[^\n]*\.\n$/);
      expect(err).not.toMatch(/\/proc\/|\.tmp/);
      expect(err).toMatch(
        words === 'init'
          ? 'make its folder writable'
          : new RegExp(`${project.path}(/.knowledge,| w)`),
      );
    }
    const inMemory = { KNOWLEDGE_STORE: 'memory' };
    const { code, out } = await runCommand(['search', 'tapir'], project.path, inMemory);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('a.md:1') });
  });

  test.runIf(mayMount)('a read-only home: the folder is named, and the remedy', async () => {
    const project = projects.make({ '.git/HEAD': '', 'a.md': 'the tapir' });
    const home = tempDirectory('knowledge-home-');
    mkdirSync(home, { recursive: true });
    readOnly(home);
    const environment = { HOME: home, KNOWLEDGE_OFFLINE: '0' };
    for (const words of ['note add --user Title Text', 'models pull']) {
      const { code, err } = await runCommand(words.split(' '), project.path, environment);
      expect({ words, code }).toEqual({ words, code: 1 });
      expect(err).toMatch(
        /^knowledge-store: [^\n]*knowledge-store[^\n]*\(E\w+: [a-z -]+\); make [^\n]* writable, or set DATA_DIR to another folder\.$/m,
      );
      expect(err).toContain(home);
    }
  });

  test.runIf(mayMount).each(['off', 'on'])(
    'read-only, service %s: a command that waits for vectors ends with a sentence',
    async (service) => {
      const project = projects.make({ '.git/HEAD': '', 'a.md': 'the tapir' });
      const environment = {
        ...(await tinyModelEnvironment()),
        HOME: tempDirectory('knowledge-home-'),
        KNOWLEDGE_SERVICE: service,
      };
      onTestFinished(async () => void (await run('stop')));
      const run = (words: string) => runCommand(words.split(' '), project.path, environment);
      expect((await run('ingest --no-vectors')).code).toBe(0);
      readOnly(project.path);
      for (const words of ['ingest --wait', 'rebuild --wait']) {
        const { code, err } = await run(words);
        expect({ words, code }).toEqual({ words, code: 1 });
        expect(err).toMatch(/^knowledge-store: [^\n]*cannot be opened or written[^\n]*\.$/m);
        expect(err).not.toMatch(/needs the embedding model|Background work/);
      }
    },
  );

  test.runIf(mayMount)(
    'full: 507, nothing half written, search continues, and the service recovers',
    async () => {
      const folder = mountPoint();
      expect(succeeds('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder)).toBe(true);
      const project = projects.make({}, '../app');
      Object.assign(project, { path: folder, appDir: '.knowledge' });
      project.write('a.md', 'the tapir');
      okBody(await client.rebuild(project));
      const ballast = `${folder}/ballast.bin`;
      fill(ballast);
      const begin = chunksIn(project.database).length;
      // Sources that need more than there is, outside of it: the disk holds nothing more.
      const unread = `${folder}/big.txt`;
      expect(begin).toBe(1);
      execFileSync('truncate', ['-s', '-200K', ballast]);
      writeFileSync(
        unread,
        Array.from({ length: 9000 }, (_, i) => `w${i.toString(36)}x`)
          .join(' ')
          .padEnd(60_000, ' tapir'),
      );
      fill(`${folder}/more.bin`);
      // Only now a source, so that the watch does not index it before the disk is full.
      renameSync(unread, `${folder}/big.md`);
      const answer = await client.rebuild(project);
      expect(errorOf(answer)).toEqual(error(507, 'storage_full'));
      expect(await client.ids(project, 'tapir')).toEqual(['a.md#0']);
      expect(chunksIn(project.database)).toHaveLength(1);
      execFileSync('rm', [ballast, `${folder}/more.bin`]);
      okBody(await client.rebuild(project));
      expect(chunksIn(project.database).length).toBeGreaterThan(1);
      verifyDatabase(project.database);
    },
  );
});

function mountPoint(): string {
  const folder = tempDirectory('knowledge-mount-');
  mkdirSync(folder, { recursive: true });
  mounts.push(folder);
  return folder;
}

function readOnly(path: TempProject['path']): void {
  succeeds('mount', '--bind', path, path);
  mounts.push(path);
  if (!succeeds('mount', '-o', 'remount,ro,bind', path))
    throw new Error('It could not be made read-only.');
}

/** Writes until there is no space. */
function fill(path: string): void {
  succeeds('sh', '-c', `cat /dev/zero > ${path}`);
}
