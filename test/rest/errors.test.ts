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
    for (const folder of ['a/in', 'b', 'outside']) {
      mkdirSync(join(base, folder), { recursive: true });
    }
    symlinkSync(join(base, 'a/in'), join(base, 'link-in'));
    client = await startClient('hybrid', { KNOWLEDGE_ROOTS: `${base}/a:${base}/b/:${base}/later` });
  });
  afterAll(async () => {
    await client.service.stop();
    projects.removeAll();
  });

  const ask = (projectPath: string) =>
    client.service.post(`${API}/search`, { projectPath, query: 'x' });

  test('projects inside are served; outside nothing is, and nothing is created there', async () => {
    for (const path of ['a', 'b', 'link-in']) {
      expect([path, (await ask(join(base, path))).status]).toEqual([path, 200]);
    }
    for (const path of [join(base, 'outside'), join(base, 'outside/not/there'), '/no/such/place']) {
      expect([path, errorOf(await ask(path))]).toEqual([path, error(403, 'path_not_allowed')]);
    }
    expect(readdirSync(join(base, 'outside'))).toEqual([]);
  });
});
