import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { ServedService } from '../../support/served-service.js';
import { type TempProject, TempProjects } from '../../support/temp-project.js';

/** Notes, sources and chunks over HTTP, on a real store and real files. */
const projects = new TempProjects();
afterAll(() => projects.removeAll());

let project: TempProject;
let service: ServedService;

afterEach(() => service.stop());

describe.each(['sqlite', 'memory'] as const)('on the backend %s', (backend) => {
  beforeEach(async () => {
    project = projects.make({
      'docs/guide.md': '# Guide\n\n## Locks\nWriters wait for readers.\n',
    });
    service = await ServedService.start({ backend, backends: { embedder: FakeEmbedder.ready() } });
  });

  test('a note is found by its title and its text as soon as it is saved', async () => {
    const content = '## Why\nBecause of aardvarks.\n\n## How\nWith a zeppelin.';
    expect(
      await addNote({ title: 'Release\nday', content, tags: ['ops'], importance: 0.9 }),
    ).toEqual({
      status: 201,
      body: { id: 'release-day', sourceFile: '.knowledge/notes/release-day.md', chunks: 2 },
    });
    const [first] = await found('release day');
    expect(first).toMatchObject({ sourceType: 'manual', tags: ['ops'], importance: 0.9 });
    expect(await idsOf('zeppelin')).toEqual(['.knowledge/notes/release-day.md#1']);
    expect(readFileSync(project.at('.knowledge/notes/release-day.md'), 'utf8')).toBe(
      `---\ntags: ["ops"]\nimportance: 0.9\n---\n# Release day\n\n${content}\n`,
    );
  });

  test('replacing a note replaces everything, and deleting it leaves nothing', async () => {
    await addNote({ title: 'Old', content: 'A gnu.', tags: ['x'], importance: 1, id: 'note' });
    const { status } = await call('PUT', '/x/notes/note', { title: 'New', content: 'An ibex.' });
    expect([status, await idsOf('gnu')]).toEqual([200, []]);
    const [chunk] = await found('ibex');
    expect(chunk).toMatchObject({ heading: 'New', importance: 0.5 });
    expect(chunk).not.toHaveProperty('tags');
    expect(await remove('/x/notes/note')).toEqual({ status: 200, body: { deleted: 1 } });
    expect(await idsOf('ibex')).toEqual([]);
    expect(existsSync(project.at('.knowledge/notes/note.md'))).toBe(false);
    expect(await remove('/x/notes/note')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await call('PUT', '/x/notes/note', { title: 'New', content: 'An ibex.' })).toMatchObject(
      { status: 404 },
    );
  });

  test('nothing is written or deleted through a link that leads out', async () => {
    const outside = projects.make({ 'x.md': 'precious' });
    mkdirSync(project.at('.knowledge/notes'), { recursive: true });
    symlinkSync(outside.at('x.md'), project.at('.knowledge/notes/x.md'));
    const note = { title: 'T', content: 'c' };
    for (const answer of [
      await addNote({ ...note, id: 'x' }),
      await call('PUT', '/x/notes/x', note),
      await remove('/x/notes/x'),
      await remove(`/x/sources?sourceFile=${encodeURIComponent('.knowledge/notes/x.md')}`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'path_not_allowed' } });
    }
    expect(readFileSync(outside.at('x.md'), 'utf8')).toBe('precious');
  });

  test('sources are listed with what the index holds, and what is not read with the reason', async () => {
    project.write('docs/latin.md', Buffer.from([0x63, 0xe9]));
    project.write('docs/empty.md', '');
    await addNote({ title: 'Note', content: 'A jackal.' });
    expect(await reindex()).toEqual({
      status: 200,
      body: {
        indexed: 2,
        skipped: [{ sourceFile: 'docs/latin.md', reason: expect.stringContaining('UTF-8') }],
        removed: 0,
      },
    });
    await found('jackal');
    const { body } = await get('/x/sources');
    expect(body).toEqual({
      sources: [
        {
          sourceFile: '.knowledge/notes/note.md',
          sourceType: 'manual',
          chunks: 1,
          bytes: '# Note\n\nA jackal.\n'.length,
          indexedAt: expect.stringMatching(/^\d{4}-.*Z$/),
          retrievals: 1,
        },
        { sourceFile: 'docs/empty.md', sourceType: 'file', chunks: 0, bytes: 0, retrievals: 0 },
        expect.objectContaining({ sourceFile: 'docs/guide.md', chunks: 1, retrievals: 0 }),
      ],
      skipped: [{ sourceFile: 'docs/latin.md', reason: expect.stringContaining('UTF-8') }],
    });
    const manual = await get('/x/sources?sourceType=manual');
    expect(manual.body).toMatchObject({ sources: [{ sourceType: 'manual' }], skipped: [] });
  });

  test('a chunk is shown with all its keys and its neighbours, and is not counted', async () => {
    for (let i = 0; i < 12; i += 1)
      await addNote({ title: `Lemur ${i}`, content: `Lemurs number ${i} eat figs.`, force: true });
    await vi.waitFor(async () => {
      expect((await get('/x/status')).body.embeddings.pending).toBe(0);
    }, 5000);
    const id = '.knowledge/notes/lemur-3.md#0';
    const { body } = await get(`/x/chunks/${encodeURIComponent(id)}`);
    expect(body).toMatchObject({
      chunk: { id, projectPath: project.path, chunkIndex: 0, heading: 'Lemur 3' },
      questions: [],
    });
    expect(body.neighbours).toHaveLength(10);
    expect(body.neighbours.map((chunk: { id: string }) => chunk.id)).not.toContain(id);
    const cosines = body.neighbours.map(({ cosine }: { cosine: number }) => cosine);
    expect(cosines).toEqual(cosines.toSorted((a: number, b: number) => b - a));
    const sources = (await get('/x/sources')).body.sources;
    expect(sources.every(({ retrievals }: { retrievals: number }) => retrievals === 0)).toBe(true);
    expect(await get('/x/chunks/unknown%230')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await get('/x/chunks/%zz')).toMatchObject({ status: 400 });
  });
});

async function request(method: string, path: string, sent?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const init = sent === undefined ? { method } : { method, headers, body: JSON.stringify(sent) };
  const { status, body } = await service.request(`/api/knowledge${path}`, init);
  return { status, body };
}

function call(method: 'POST' | 'PUT', path: string, body: object = {}) {
  return request(method, path, { projectPath: project.path, ...body });
}

function get(path: string) {
  return request('GET', withProject(path));
}

function remove(path: string) {
  return request('DELETE', withProject(path));
}

function withProject(path: string): string {
  const sign = path.includes('?') ? '&' : '?';
  return `${path}${sign}projectPath=${encodeURIComponent(project.path)}`;
}

function addNote(note: object) {
  return call('POST', '/x/notes', note);
}

function reindex() {
  return call('POST', '/x/reindex');
}

async function found(query: string) {
  const { body } = await call('POST', '/search', { query });
  return body.results.map(({ chunk }: { chunk: unknown }) => chunk);
}

async function idsOf(query: string): Promise<readonly string[]> {
  return (await found(query)).map(({ id }: { id: string }) => id);
}
