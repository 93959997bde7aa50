import { existsSync, readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import { configOf } from '../../../src/app/config/read-config.js';
import { backendsModule } from '../../../src/app/wiring/backends.js';
import { createService, type Service } from '../../../src/app/wiring/create-service.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { loopbackParts } from '../../support/served-api.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

/** Pushed documents over HTTP, on a real store and real files. */
const projects = new TempProjects();
afterAll(() => projects.removeAll());

let project: TempProject;
let service: Service;
let server: HttpServer;
let origin: string;

describe.each(['sqlite', 'memory'] as const)('documents on the backend %s', (backend) => {
  beforeEach(async () => {
    project = projects.make({ 'docs/guide.md': '# Guide\n\n## Locks\nWriters wait.\n' });
    const options = {
      variant: 'hybrid',
      backend,
      logger: new SilentLogger(),
      backends: { embedder: FakeEmbedder.ready() },
    } as const;
    service = createService(configOf(options), [backendsModule(options)]);
    server = new HttpServer(loopbackParts(service.routes));
    origin = await server.listen();
  });
  afterEach(async () => {
    await server.close();
    await service.stop();
  });

  test('are found like files, with title, tags and importance', async () => {
    const content = '---\ntags: [x]\n---\nThe pager is with ops.\n\nEscalate to Quokka.';
    const document = { path: 'on call/pager.md', content, title: 'On call' };
    expect(await push({ ...document, tags: ['ops'], importance: 0.9 })).toEqual({
      status: 201,
      body: { sourceFile: 'on call/pager.md', chunks: 2, changed: true },
    });
    const [chunk] = await found('quokka');
    expect(chunk).toMatchObject({
      id: 'on call/pager.md#1',
      sourceType: 'file',
      heading: 'On call',
      tags: ['ops'],
      importance: 0.9,
    });
    expect(existsSync(project.at('on call'))).toBe(false);
  });

  test('are replaced, and stay as they are when they are pushed again', async () => {
    await push({ path: 'a.md', content: 'An okapi.' });
    const again = await push({ path: 'a.md', content: 'An okapi.' });
    expect(again).toEqual({ status: 200, body: { sourceFile: 'a.md', chunks: 1, changed: false } });
    const changed = await push({ path: 'a.md', content: 'A numbat.' });
    expect(changed).toMatchObject({ status: 200, body: { changed: true } });
    expect(await found('okapi')).toEqual([]);
    expect(await found('numbat')).toHaveLength(1);
  });
});

describe('a document is refused', () => {
  beforeEach(async () => {
    project = projects.make({});
    const options = { variant: 'hybrid', backend: 'memory', logger: new SilentLogger() } as const;
    service = createService(configOf(options), [backendsModule(options)]);
    server = new HttpServer(loopbackParts(service.routes));
    origin = await server.listen();
  });
  afterEach(async () => {
    await server.close();
    await service.stop();
  });

  test.each([
    '',
    ' ',
    '/etc/passwd',
    '../a.md',
    'a/../../b.md',
    './a.md',
    'a//b.md',
    'a/',
    'a\\b.md',
    'C:/a.md',
    'a\u0000.md',
    'a\nb.md',
    '\ud800.md',
    '.knowledge/memory/a.md',
    '.Knowledge/notes/a.md',
    '.knowledge',
    `${'a/'.repeat(500)}b`,
  ])('with the path %j', async (path) => {
    const before = readdirSync(project.path);
    expect(await push({ path, content: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error: expect.stringMatching(/^path must /) },
    });
    expect(readdirSync(project.path)).toEqual(before);
  });

  test.each([
    ['content', { content: ' ' }],
    ['content', { content: 'a'.repeat(1_000_001) }],
    ['title', { title: ' ' }],
    ['title', { title: 'a'.repeat(1001) }],
    ['tags', { tags: [''] }],
    ['importance', { importance: 2 }],
  ])('with a wrong %s', async (field, wrong) => {
    expect(await push({ path: 'a.md', content: 'x', ...wrong })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(new RegExp(`^${field} must `)) },
    });
  });
});

function push(document: object) {
  return call('POST', '/x/documents', document);
}

async function found(query: string) {
  const { results } = (await call('POST', '/search', { query })).body;
  return results.map(({ chunk }: { chunk: object }) => chunk);
}

async function call(method: string, path: string, fields: object): Promise<Answer> {
  const response = await fetch(`${origin}/api/knowledge${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectPath: project.path, ...fields }),
  });
  return { status: response.status, body: await response.json() };
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a black box may return anything
  readonly body: any;
}
