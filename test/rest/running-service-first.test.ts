import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tinyModelEnvironment } from '../../bench/faults/tiny-model-environment.js';
import { type RunningService, runCommand, startService } from '../support/running-service.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

const TOKEN = 'the-token';

let project: TempProject;
let environment: Readonly<Record<string, string>>;
let service: RunningService;

beforeEach(async () => {
  project = new TempProject({ 'docs/a.md': '## Locks\n\nWriters wait for the ibex.\n' });
  environment = { HOME: tempDirectory('knowledge-home-'), ...(await tinyModelEnvironment()) };
  service = await startService({ ...environment, KNOWLEDGE_TOKEN: TOKEN });
  await run('ingest', '--no-vectors');
});
afterEach(async () => {
  await service.stop();
  project.remove();
});

const folder = () => join(environment['HOME'] ?? '', '.local/share/knowledge-store/services');

const run = (...words: readonly string[]) => runCommand(words, project.path, environment);

/** How many searches the service has served. */
async function served(): Promise<number> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const lines = text.split('\n').filter((line) => /_count\{.*\/search"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('a search asks the service of this user that runs, with its token', async () => {
  expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
  expect(await served()).toBe(1);
  const [file = ''] = readdirSync(folder());
  expect(statSync(join(folder(), file)).mode & 0o077).toBe(0);
});

test('a search by keyword alone, and one with another model, work by themselves', async () => {
  await run('search', '--no-model', 'ibex');
  environment = { ...environment, KNOWLEDGE_MODEL: 'another/model' };
  await run('search', 'ibex');
  expect(await served()).toBe(0);
});

test('a service that has ended, however, is asked no more', async () => {
  const [file = ''] = readdirSync(folder());
  await service.process.kill();
  expect(existsSync(join(folder(), file))).toBe(true);
  expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
  expect(existsSync(join(folder(), file))).toBe(false);
});

test('one that is stopped takes its file away, and what is no announcement is passed over', async () => {
  await service.stop();
  expect(readdirSync(folder())).toEqual([]);
  writeFileSync(join(folder(), `${process.pid}.json`), '{"url": 7}');
  expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
});
