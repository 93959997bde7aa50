import { expect, it, onTestFinished } from 'vitest';
import { BackgroundEnrichment } from '../../../src/app/enrichment/background-enrichment.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FakeQuestionGenerator } from '../../fakes/fake-question-generator.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { document } from '../../support/chunks.js';
import { pass } from '../../support/enrichment-world.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { TempProject } from '../../support/temp-project.js';

const CHUNKS = 6;

it('two instances with different models embed each text of one store at most once each', async () => {
  const clock = new FixedClock();
  const directory = new TempProject();
  onTestFinished(() => directory.remove());
  const one = await instance(directory.path, { clock, model: 'one' });
  const other = await instance(directory.path, { clock, model: 'other' });
  const texts = Array.from({ length: CHUNKS }, (_, i) => `note ${i}`);
  await one.project.store.chunks.replaceSource('a.md', async () => document('a.md', texts));

  for (let round = 0; round < 4; round += 1) {
    for (const { enrichment, project } of [one, other]) {
      enrichment.wake(project);
      await pass(clock, 90_000, 5000);
    }
  }

  expect(one.embedder.embedded.toSorted()).toEqual(texts);
  expect(other.embedder.embedded.toSorted()).toEqual(texts);
  const complete = await Promise.all(
    [one, other].map(async ({ project }) => (await project.store.vectors.status()).complete),
  );
  expect(complete.toSorted()).toEqual([0, CHUNKS]);
});

async function instance(
  path: string,
  { clock, model }: { readonly clock: FixedClock; readonly model: string },
) {
  const stores = sqliteStores({ clock, model });
  const embedder = FakeEmbedder.ready({ model });
  const generator = new FakeQuestionGenerator();
  generator.available = false;
  const logger = new SilentLogger();
  const enrichment = new BackgroundEnrichment({ embedder, generator, clock, logger });
  const project = { path, store: await stores.open(path) };
  onTestFinished(async () => {
    await enrichment.stop();
    await stores.close();
  });
  return { embedder, enrichment, project };
}
