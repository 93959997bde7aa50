import { expect, test, vi } from 'vitest';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { okBody } from '../../support/running-service-calls.js';
import { serveHybrid } from '../../support/served-service.js';
import { TempProject } from '../../support/temp-project.js';

test('a chunk is shown with the ten nearest others, the nearest first, and is not counted', async () => {
  const project = new TempProject();
  const embedder = FakeEmbedder.ready();
  const client = await serveHybrid({ backend: 'memory', backends: { embedder } });
  const get = async (path: string) =>
    client.service.get(`/api/knowledge/x/${path}?projectPath=${project.path}`);
  for (let i = 0; i < 12; i += 1) {
    const note = { title: `Lemur ${i}`, content: `Lemurs number ${i} eat figs.`, force: true };
    expect(await client.post('/x/notes', project, note)).toMatchObject({ status: 201 });
  }
  await vi.waitFor(async () => {
    expect((await get('status')).body.embeddings.pending).toBe(0);
  }, 5000);
  const id = '.knowledge/notes/lemur-3.md#0';
  const { chunk, neighbours } = okBody(await get(`chunks/${encodeURIComponent(id)}`));
  expect(chunk).toMatchObject({ id, projectPath: project.path, chunkIndex: 0, heading: 'Lemur 3' });
  expect(neighbours).toHaveLength(10);
  expect(neighbours.map((chunk: { id: string }) => chunk.id)).not.toContain(id);
  const cosines = neighbours.map(({ cosine }: { cosine: number }) => cosine);
  expect(cosines).toEqual(cosines.toSorted((a: number, b: number) => b - a));
  const { sources } = okBody(await get('sources'));
  expect(sources.every(({ retrievals }: { retrievals: number }) => retrievals === 0)).toBe(true);
  expect(await get('chunks/unknown%230')).toMatchObject({ status: 404 });
  await client.service.stop();
  project.remove();
});
