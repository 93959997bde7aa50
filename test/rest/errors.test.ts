import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  API,
  type Client,
  error,
  errorOf,
  okBody,
  startClient,
} from '../support/running-service-calls.js';
import { tempDirectory } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

describe('a service with KNOWLEDGE_ROOTS', () => {
  const base = tempDirectory('knowledge-roots-');
  let client: Client;
  beforeAll(async () => {
    for (const folder of ['a/in', 'b', 'outside']) {
      mkdirSync(join(base, folder), { recursive: true });
    }
    symlinkSync(join(base, 'a/in'), join(base, 'link-in'));
    client = await startClient('hybrid', { KNOWLEDGE_ROOTS: `${base}/a:${base}/b/:${base}/later` });
  });
  afterAll(async () => {
    await client.service.stop();
    projects.make({}, undefined, base);
  });

  const ask = (projectPath: string) =>
    client.service.post(`${API}/search`, { projectPath, query: 'x' });

  test('serves the projects inside, however their paths are written', async () => {
    const inside = `${base}/a/in`;
    for (const path of [`${base}/a`, `${base}/b`, `${base}/link-in`]) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
    for (const path of [`${inside}/`, `${inside}/../${basename(inside)}`, `//${inside}/./`]) {
      const rebuilt = await client.service.post(`${API}/rebuild`, { projectPath: path });
      expect(okBody(rebuilt).dbPath).toBe(`${inside}/.knowledge/knowledge.db`);
    }
  });

  test('creates nothing outside, and nothing if there is no directory', async () => {
    for (const [path, expected] of [
      [`${base}/outside`, error(403, 'path_not_allowed')],
      [`${base}/outside/not/there`, error(403, 'path_not_allowed')],
      [`${base}/b/not/there`, error(404, 'project_not_found')],
      [`${base}/b/${'long/'.repeat(2000)}`, error(404, 'project_not_found')],
      [`${base}/b/.knowledge/knowledge.db`, error(404, 'project_not_found')],
    ] as const) {
      expect([path, errorOf(await ask(path))]).toEqual([path, expected]);
    }
    expect(readdirSync(join(base, 'outside'))).toEqual([]);
    expect(readdirSync(join(base, 'b'))).toEqual(['.knowledge']);
  });

  test('says where the database is by the path with which the project was opened', async () => {
    for (const path of [`${base}/link-in`, `${base}/a/in`]) {
      const query = new URLSearchParams({ projectPath: path });
      const stats = await client.service.get(`${API}/stats?${query}`);
      expect(okBody(stats).dbPath).toBe(`${path}/.knowledge/knowledge.db`);
    }
  });
});
