import { existsSync, readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { ServedService } from '../../support/served-service.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

/** Pushed documents over HTTP, on a real store and real files. */
const projects = new TempProjects();
afterAll(() => projects.removeAll());

let project: TempProject;
let service: ServedService;

describe.each(['sqlite', 'memory'] as const)('documents on the backend %s', (backend) => {
  beforeEach(async () => {
    project = projects.make({ 'docs/guide.md': '# Guide\n\n## Locks\nWriters wait.\n' });
    service = await ServedService.start({ backend, backends: { embedder: FakeEmbedder.ready() } });
  });
  afterEach(() => service.stop());

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
    service = await ServedService.start({ backend: 'memory' });
  });
  afterEach(() => service.stop());

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
});

function push(document: object) {
  return call('/x/documents', document);
}

async function found(query: string) {
  const { results } = (await call('/search', { query })).body;
  return results.map(({ chunk }: { chunk: object }) => chunk);
}

async function call(path: string, fields: object) {
  const sent = { projectPath: project.path, ...fields };
  const { status, body } = await service.post(`/api/knowledge${path}`, sent);
  return { status, body };
}
