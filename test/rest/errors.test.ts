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

  test.each([
    '',
    '.',
    'relative/path',
    './x',
    '../x',
    '~',
    '~/project',
    'C:\\project',
    'file:///tmp',
    'a\0b',
  ])('a projectPath that is not absolute: %j', async (projectPath) => {
    for (const answer of await everywhere({ projectPath, query: 'x' })) {
      expect(errorOf(answer)).toEqual(error(400, 'invalid_request'));
    }
  });

  test('a projectPath with a NUL in it, and one that is missing', async () => {
    for (const fields of [{ projectPath: `${project.path}\0`, query: 'x' }, { query: 'x' }]) {
      for (const answer of await everywhere(fields)) {
        expect(errorOf(answer)).toEqual(error(400, 'invalid_request'));
      }
    }
  });

  test.each([null, 1, true, [], ['/tmp'], {}])(
    'a projectPath that is no text: %j',
    async (projectPath) => {
      for (const path of ['/search', '/rebuild']) {
        const answer = await client.service.post(API + path, { projectPath, query: 'x' });
        expect(errorOf(answer)).toEqual(error(400, 'invalid_request'));
      }
    },
  );

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

  test.each([undefined, null, '', ' \n\t ', 7, false, [], ['x'], {}])(
    'a query like %j',
    async (query) => {
      expect(errorOf(await client.search(project, query as string))).toEqual(
        error(400, 'invalid_request'),
      );
    },
  );

  test.each([0, -1, -0.5, 1.5, '5', true, [], {}, 1e20])(
    'maxResults and maxTokens like %j',
    async (value) => {
      for (const name of ['maxResults', 'maxTokens']) {
        expect(errorOf(await client.search(project, 'x', { [name]: value }))).toEqual(
          error(400, 'invalid_request'),
        );
      }
    },
  );

  test('maxResults beyond 1 to 1000 and maxTokens beyond 1 to 1,000,000', async () => {
    const statuses = [];
    for (const options of [
      { maxResults: 1 },
      { maxResults: 1000 },
      { maxTokens: 1 },
      { maxTokens: 1_000_000 },
    ]) {
      statuses.push((await client.search(project, 'x', options)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
    for (const options of [{ maxResults: 1001 }, { maxTokens: 1_000_001 }]) {
      expect(errorOf(await client.search(project, 'x', options))).toEqual(
        error(400, 'invalid_request'),
      );
    }
  });

  test('numbers that are not finite', async () => {
    for (const name of ['maxResults', 'maxTokens']) {
      const body = `{"projectPath":${JSON.stringify(project.path)},"query":"x","${name}":1e999}`;
      expect(errorOf(await client.service.post(`${API}/search`, body))).toEqual(
        error(400, 'invalid_request'),
      );
    }
  });

  test.each(['file', '', ['all'], ['file', 'nope'], ['FILE'], [null], [1], {}, 3, true])(
    'sourceTypes like %j',
    async (sourceTypes) => {
      expect(errorOf(await client.search(project, 'x', { sourceTypes }))).toEqual(
        error(400, 'invalid_request'),
      );
    },
  );

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '7',
    '{"projectPath": }',
    '{"a":1}}',
    '['.repeat(100_000),
  ])('a body like %j', async (body) => {
    expect(errorOf(await client.service.post(`${API}/search`, body))).toEqual(
      error(400, 'invalid_request'),
    );
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    '',
  ])('a body of the type %j', async (type) => {
    const answer = await client.service.post(
      `${API}/search`,
      { projectPath: project.path, query: 'x' },
      { 'content-type': type },
    );
    expect(errorOf(answer)).toEqual(error(415, 'unsupported_media_type'));
  });

  test('application/json with a charset is accepted', async () => {
    const fields = { projectPath: project.path, query: 'x' };
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      expect(
        (await client.service.post(`${API}/search`, fields, { 'content-type': type })).status,
      ).toBe(200);
    }
  });

  test('a body over 1 MiB, whose answer the client can read', async () => {
    const fields = { projectPath: project.path, query: 'x' };
    const room = 1_048_576 - JSON.stringify({ ...fields, pad: '' }).length;
    const fitting = await client.service.post(`${API}/search`, {
      ...fields,
      pad: 'p'.repeat(room),
    });
    expect(fitting.status).toBe(200);
    for (const size of [room + 1, 5_000_000]) {
      const answer = await client.service.post(`${API}/search`, {
        ...fields,
        pad: 'p'.repeat(size),
      });
      expect(errorOf(answer)).toEqual(error(413, 'too_large'));
    }
  });

  test('unknown routes', async () => {
    const paths = [
      '/',
      '/api',
      API,
      `${API}/`,
      `${API}/nope`,
      `${API}/search/`,
      `${API}/Search`,
      `${API}/x`,
      '/favicon.ico',
      '//',
      '/%00',
      '/%ff',
    ];
    for (const path of paths) {
      expect(errorOf(await client.service.get(path))).toEqual(error(404, 'not_found'));
      expect(errorOf(await client.service.post(path, {}))).toEqual(error(404, 'not_found'));
    }
  });

  test('other methods', async () => {
    const other = variant === 'hybrid' ? 'POST' : 'GET';
    const wrong: [string, string][] = [
      ['GET', '/search'],
      ['PUT', '/search'],
      ['DELETE', '/search'],
      ['PATCH', '/rebuild'],
      ['GET', '/rebuild'],
      ['OPTIONS', '/search'],
      [other, '/stats'],
    ];
    for (const [method, path] of wrong) {
      const answer = await client.service.request(API + path, { method });
      expect([path, errorOf(answer)]).toEqual([path, error(405, 'method_not_allowed')]);
    }
  });

  test('no error tells a path of the service or a stack', async () => {
    const answers = [
      await client.service.post(`${API}/search`, '{'),
      await client.service.get('/nope'),
      await client.search(project, 'x', { maxResults: 0 }),
    ];
    for (const { text } of answers)
      expect(text).not.toMatch(/node_modules|dist\/|at .*:\d+:\d+|\/work\//);
  });

  test('another Host, and other origins', async () => {
    const { hostname, port } = new URL(client.service.url);
    const fields = { projectPath: project.path, query: 'x' };
    for (const origin of [
      'http://evil.example',
      'https://127.0.0.1.evil.example',
      'null',
      `http://${hostname}:1`,
    ]) {
      const answer = await client.service.post(`${API}/search`, fields, { origin });
      expect(errorOf(answer)).toEqual(error(403, 'origin_not_allowed'));
    }
    const crossSite = await client.service.post(`${API}/search`, fields, {
      'sec-fetch-site': 'cross-site',
    });
    expect(errorOf(crossSite)).toEqual(error(403, 'origin_not_allowed'));
    const own = await client.service.post(`${API}/search`, fields, {
      origin: `http://${hostname}:${port}`,
    });
    expect(own.status).toBe(200);
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
      'outside',
      'outside/not/there',
      'a-sibling/in',
      'a-sibling',
      'a-sibling/none',
      'a/link-out',
      'a/link-out/none',
      'a/../outside',
      'a/in/../../outside',
      'nowhere',
      'ab',
      '',
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

  test('what is not there inside a root is 404, and so is a relative path 400', async () => {
    expect(errorOf(await ask(`${base}/a/none`))).toEqual(error(404, 'project_not_found'));
    expect(errorOf(await ask(`${base}/later`))).toEqual(error(404, 'project_not_found'));
    expect(errorOf(await ask('a/in'))).toEqual(error(400, 'invalid_request'));
  });

  test('a path of a million characters is refused at once', async () => {
    const begin = performance.now();
    const answer = await ask(`${base}/a/${'x/'.repeat(500_000)}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe('with KNOWLEDGE_TOKEN', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid', { KNOWLEDGE_TOKEN: 's3cret token' });
  });
  afterAll(() => client.service.stop());

  test('every route but /health asks for it', async () => {
    const project = projects.make();
    expect((await client.service.get('/health')).status).toBe(200);
    const refused = [
      await client.search(project, 'x'),
      await client.stats(project),
      await client.status(project),
      await client.service.get('/ready'),
      await client.service.get('/nope'),
      await client.service.get('/metrics'),
      await client.service.get('/health/'),
      await client.service.get('/ready', { authorization: 'Bearer wrong' }),
      await client.service.get('/ready', { authorization: 'Basic s3cret token' }),
      await client.service.get('/ready', { authorization: 's3cret token' }),
      await client.service.get('/ready', { authorization: 'Bearer s3cret token2' }),
    ];
    for (const answer of refused) expect(errorOf(answer)).toEqual(error(401, 'unauthorized'));
    expect(readdirSync(project.path)).toEqual([]);
    const right = { authorization: 'Bearer s3cret token' };
    const fields = { projectPath: project.path, query: 'x' };
    expect((await client.service.post(`${API}/search`, fields, right)).status).toBe(200);
    expect(client.service.stderr()).not.toContain('s3cret');
  });
});
