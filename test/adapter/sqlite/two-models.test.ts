import { expect, it } from 'vitest';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import {
  type EnrichmentWorld,
  enrichmentWorld,
  ingest,
  settle,
} from '../../support/enrichment-world.js';
import { SharedDatabases } from '../../support/sqlite-stores.js';

it('two instances with different models embed each text and each question at most once, and settle', async () => {
  const [first, second] = await instances();
  for (let i = 0; i < 10; i += 1) await ingest(first, `note ${i}.md`, `note ${i}`);
  for (let round = 0; round < 6; round += 1) {
    await finish(first);
    await finish(second);
  }
  // Ten notes, and a header and three questions for each.
  expect(first.embedder.embedded).toHaveLength(50);
  expect(second.embedder.embedded).toHaveLength(50);
  expect((await second.project.store.vectors.status('content')).complete).toBe(10);
});

it('two instances with different models embed a text again that is written again', async () => {
  const [first, second] = await instances();
  await ingest(first, 'a.md', 'a note');
  await finish(first);
  await finish(second);
  await first.project.store.chunks.replaceSources([{ sourceFile: 'a.md', document: undefined }]);
  await ingest(first, 'a.md', 'a note');
  await finish(first);
  expect((await first.project.store.vectors.status('content')).complete).toBe(1);
  expect(first.embedder.embedded.filter((text) => text === 'a note')).toHaveLength(2);
});

function instances(): Promise<[EnrichmentWorld, EnrichmentWorld]> {
  const data = new SharedDatabases();
  const instance = (model: string) =>
    enrichmentWorld({ data, embedder: FakeEmbedder.ready({ model }) });
  return Promise.all([instance('model/a'), instance('model/b')]);
}

/** Until the instance has nothing to do; another one has the lease until then. */
async function finish({ work, clock }: EnrichmentWorld): Promise<void> {
  work.schedule();
  for (let i = 0; i < 40; i += 1) {
    await settle(100);
    clock.advance(10_000);
  }
}
