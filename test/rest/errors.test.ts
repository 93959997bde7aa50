import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API,
  type Client,
  error,
  errorOf,
  okBody,
  startClient,
  VARIANTS,
} from '../support/running-service-calls.js';
import type { HttpAnswer } from '../support/service-at-url.js';
import { type TempProject, TempProjects, tempDirectory } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe.each(VARIANTS)('what the %s variant refuses', (variant) => {
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient(variant);
    project = projects.make({ 'a.md': 'one ibex' });
  });
  afterAll(() => client.service.stop());

  /** Every route that takes a project, asked with these fields. */
  async function everywhere(fields: object): Promise<readonly HttpAnswer[]> {
    const post = (path: string) => client.service.post(API + path, fields);
    const query = Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      .join('&');
    const get = (path: string) => client.service.get(`${API}${path}?${query}`);
    if (variant === 'search-only') {
      return [await post('/search'), await post('/stats'), await post('/rebuild')];
    }
    const posts = [
      '/search',
      '/rebuild',
      '/ingest/reflections',
      '/ingest/agent-outputs',
      '/x/prune',
    ];
    return [...(await Promise.all(posts.map(post))), await get('/stats'), await get('/x/status')];
  }

  test.each(['relative/path', '~/project', 'a\0b'])(
    'a projectPath that is not absolute: %j',
    async (projectPath) => {
      for (const answer of await everywhere({ projectPath, query: 'x' })) {
        expect(errorOf(answer)).toEqual(error(400, 'invalid_request'));
      }
    },
  );

  test('bodies, types, routes, methods and pages from elsewhere', async () => {
    const fields = { projectPath: project.path, query: 'x' };
    const search = (body: object | string, headers = {}) =>
      client.service.post(`${API}/search`, body, headers);
    const get = (path: string) => client.service.get(path);
    const answers = {
      invalid_request: await search('{"projectPath": }'),
      unsupported_media_type: await search(fields, { 'content-type': 'text/plain' }),
      too_large: await search({ ...fields, pad: 'p'.repeat(1_048_576) }),
      not_found: await get(`${API}/nope`),
      method_not_allowed: await get(`${API}/search`),
      origin_not_allowed: await search(fields, { origin: 'http://evil.example' }),
    };
    const statuses = [400, 415, 413, 404, 405, 403];
    for (const [place, [code, answer]] of Object.entries(answers).entries()) {
      expect(errorOf(answer)).toEqual(error(statuses[place] ?? 0, code));
      expect(answer.text).not.toMatch(/node_modules|dist\/|at .*:\d+:\d+/);
    }
  });

  test('a directory that does not exist, and a file, are 404 and nothing is made', async () => {
    const missing = project.at('not/there');
    const tooLong = `${project.path}/${'long/'.repeat(2000)}`;
    for (const projectPath of [missing, project.at('a.md'), project.at('a.md/b'), tooLong]) {
      for (const answer of await everywhere({ projectPath, query: 'x' })) {
        expect(errorOf(answer)).toEqual(error(404, 'project_not_found'));
      }
    }
    expect(readdirSync(project.path)).toEqual(['a.md']);
  });

  test('an existing path written with dots and slashes is the same project', async () => {
    for (const spelled of [
      `${project.path}/`,
      `${project.path}/../${project.path.split('/').at(-1)}`,
      `//${project.path}`,
      `${project.path}/./`,
    ]) {
      const answer = await client.service.post(`${API}/rebuild`, { projectPath: spelled });
      const stats = okBody(answer).stats ?? okBody(answer);
      expect(stats.dbPath).toBe(project.database);
    }
  });
});

describe('with KNOWLEDGE_ROOTS', () => {
  let client: Client;
  let base: string;
  beforeAll(async () => {
    base = tempDirectory('knowledge-roots-');
    for (const folder of ['a/in', 'b', 'a-sibling/in', 'outside', 'real']) {
      mkdirSync(join(base, folder), { recursive: true });
    }
    symlinkSync(join(base, 'outside'), join(base, 'a/link-out'));
    symlinkSync(join(base, 'a/in'), join(base, 'link-in'));
    client = await startClient('hybrid', { KNOWLEDGE_ROOTS: `${base}/a:${base}/b/:${base}/later` });
  });
  afterAll(async () => {
    await client.service.stop();
    projects.removeAll();
  });

  const ask = (projectPath: string) =>
    client.service.post(`${API}/search`, { projectPath, query: 'x' });

  test('projects inside are served, including a root itself and paths through links', async () => {
    for (const path of ['a', 'a/in', 'b', 'link-in', 'a-sibling/../a/in', 'a/in/../../b']) {
      expect([path, (await ask(join(base, '/') + path)).status]).toEqual([path, 200]);
    }
  });

  test('paths outside are 403 whether or not they exist, and nothing is created there', async () => {
    const paths = [
      'outside/not/there',
      'a-sibling/in',
      'a/link-out/none',
      'a/in/../../outside',
      '../..',
    ];
    for (const path of paths) {
      expect([path, errorOf(await ask(`${base}/${path}`))]).toEqual([
        path,
        error(403, 'path_not_allowed'),
      ]);
    }
    for (const path of ['/', '/etc', '/proc/self', '/no/such/place']) {
      expect([path, errorOf(await ask(path))]).toEqual([path, error(403, 'path_not_allowed')]);
    }
    for (const folder of ['outside', 'a-sibling', 'a-sibling/in']) {
      expect(readdirSync(join(base, folder)).filter((name) => name !== 'in')).toEqual([]);
    }
  });
});
