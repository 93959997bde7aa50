import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackgroundEnrichment } from '../../../src/app/enrichment/background-enrichment.js';
import { noMetrics, referenceScales } from '../../../src/app/wiring/null-objects.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FakeQuestionGenerator } from '../../fakes/fake-question-generator.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { document } from '../../support/chunks.js';
import { settle } from '../../support/enrichment-world.js';
import { sqliteStores } from '../../support/sqlite-stores.js';

let path: string;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'two-models-'));
  await mkdir(join(path, '.knowledge'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(path, { recursive: true, force: true });
});

describe('two instances with different models at one store', () => {
  it('embed each text and each question at most once, and settle', async () => {
    const first = await instance('model/a');
    const second = await instance('model/b');
    for (let i = 0; i < 10; i += 1) await add(first, `note ${i}`);
    for (let round = 0; round < 6; round += 1) {
      await work(first);
      await work(second);
    }
    // Ten notes, and a header and three questions for each.
    expect(first.embedder.embedded).toHaveLength(50);
    expect(second.embedder.embedded).toHaveLength(50);
    expect((await second.store.vectors.status('content')).complete).toBe(10);
  });

  it('embed a text again that is written again', async () => {
    const first = await instance('model/a');
    const second = await instance('model/b');
    await add(first, 'a note');
    await work(first);
    await work(second);
    await first.store.chunks.replaceSources([{ sourceFile: 'a note.md', document: undefined }]);
    await add(first, 'a note');
    await work(first);
    expect((await first.store.vectors.status('content')).complete).toBe(1);
    expect(first.embedder.embedded.filter((text) => text.includes('a note'))).not.toHaveLength(1);
  });
});

type Instance = Awaited<ReturnType<typeof instance>>;

async function instance(model: string) {
  const clock = new FixedClock();
  const logger = new SilentLogger();
  const embedder = FakeEmbedder.ready({ model });
  const generator = new FakeQuestionGenerator();
  const stores = sqliteStores({ model, clock });
  const store = await stores.open(path);
  const enrichment = new BackgroundEnrichment({
    ...{ embedder, generator, clock, logger },
    metrics: noMetrics,
    relevanceScales: referenceScales,
  });
  stops.push(async () => {
    await enrichment.stop();
    await stores.close();
  });
  return { embedder, store, enrichment, clock };
}

async function add({ store }: Instance, text: string): Promise<void> {
  await store.chunks.replaceSources([
    { sourceFile: `${text}.md`, document: document(`${text}.md`, [text]) },
  ]);
}

/** Until the instance has nothing to do; another one has the lease until then. */
async function work({ enrichment, store, clock }: Instance): Promise<void> {
  enrichment.schedule({ path, store });
  for (let i = 0; i < 40; i += 1) {
    await settle(100);
    clock.advance(10_000);
  }
}
