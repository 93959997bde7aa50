import { describe, expect, it } from 'vitest';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { until } from '../../support/enrichment-world.js';
import {
  makeRetrievalWorld,
  namesOf,
  type RetrievalWorld,
  type WorldOptions,
} from '../../support/retrieval-world.js';

let world: RetrievalWorld;

describe('the keyword list keeps its order, with its ranks in both lists,', () => {
  it('if the setting hybridRetrieval is false', async () => {
    await start({ settings: { hybridRetrieval: false } });
    await expectKeywordList('The setting hybridRetrieval is false.');
    expect(world.embedder.embedded).toEqual([]);
  });

  it('while the model is loading, which the search starts and does not wait for', async () => {
    const embedder = new FakeEmbedder();
    embedder.hold();
    await start({ embedder });
    const reason = 'The embedding model is still loading.';
    expect(await world.byMeaning('wal')).toEqual({
      ...(await keywordList(reason)),
      lacks: 'vectors',
    });
    embedder.release();
    await until(() => embedder.isReady());
    expect(await world.byMeaning('wal')).toMatchObject({ mode: 'hybrid' });
  });

  it.each([
    ['failed', 'The embedding model could not be loaded.'],
    ['absent', 'No embedding model is installed.'],
  ] as const)('where the model is %s', async (state, sentence) => {
    await start();
    world.embedder.fail(state);
    const answer = await world.byMeaning('wal');
    expect(answer).toEqual({ ...(await keywordList(sentence)), lacks: 'model' });
  });

  it('if the model fails for the query, with a warning', async () => {
    await start();
    world.embedder.hold();
    const answer = world.byMeaning('wal');
    await until(() => world.clock.sleepers === 1);
    world.embedder.fail();
    world.embedder.release();
    const expected = await keywordList('The embedding model failed.');
    expect(await answer).toEqual({ ...expected, lacks: 'vectors' });
    expect(world.logger.entries).toEqual([
      {
        level: 'warn',
        message: 'A query could not be embedded.',
        fields: { reason: expect.stringContaining('told to fail') },
      },
    ]);
    expect(world.clock.sleepers).toBe(0);
  });

  it('if no candidate has a vector', async () => {
    await start();
    const filter = { sourceTypes: ['manual'] } as const;
    await world.add('fresh', 'wal', 'manual');
    const { ranked, mode, modeReason } = await world.byMeaning('wal', { filter });
    expect(namesOf(ranked)).toEqual(['fresh']);
    expect([mode, modeReason]).toEqual(['bm25', 'No candidate has a vector yet.']);
  });

  it('if vectors cannot be compared, and says why', async () => {
    await start({ comparisonProblem: 'There is no sqlite-vec here.' });
    await expectKeywordList('There is no sqlite-vec here.');
  });

  it('if there is nothing to rank', async () => {
    await start();
    const answer = await world.byMeaning('vacuum');
    expect(answer).toMatchObject({ ranked: [], mode: 'bm25' });
    expect(answer).toMatchObject({ modeReason: 'No result to rank by meaning.' });
    expect(answer.lacks).toBeUndefined();
  });

  it('if no word matches and no chunk has a vector, which could find other words', async () => {
    world = await makeRetrievalWorld({});
    await world.add('first', 'wal');
    const answer = await world.byMeaning('vacuum');
    expect(answer).toMatchObject({ ranked: [], mode: 'bm25', lacks: 'vectors' });
    expect(answer.modeReason).toBe('No chunk has a vector yet.');
  });
});

/** The order by vectors would be the other way round. */
async function start(options: WorldOptions = {}): Promise<void> {
  world = await makeRetrievalWorld(options);
  await world.fill(5);
  await world.add('first', 'wal wal');
  await world.add('second', 'wal');
  await world.add('third', 'wal one two');
  await world.near('first', 'wal', 0.1);
  await world.near('third', 'wal', 0.9);
}

async function expectKeywordList(modeReason: string): Promise<void> {
  const answer = await world.byMeaning('wal');
  expect(answer).toEqual(await keywordList(modeReason));
  expect(namesOf(answer.ranked)).toEqual(['first', 'second', 'third']);
}

async function keywordList(modeReason: string) {
  const found = await world.byCandidates('wal');
  const ranked = found.ranked.map((scored, i) => ({ ...scored, score: 2 / (61 + i) }));
  return { ...found, ranked, mode: 'bm25', modeReason };
}
