import { beforeEach, describe, expect, it } from 'vitest';
import type { Retrieved } from '../../../src/app/search/retrieval.js';
import { makeRetrievalWorld, namesOf, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
});

describe('reciprocal ranks of words and meaning', () => {
  beforeEach(async () => {
    for (const times of [4, 3, 2, 1]) await world.add(`wal-${times}`, 'wal '.repeat(times));
  });

  it('add up, a candidate without a vector taking its keyword rank for both', async () => {
    await near({ 'wal-4': 0.2, 'wal-3': 0.5, 'wal-1': 0.9 });
    const answer = await world.byMeaning('wal');
    expect(scoresOf(answer)).toEqual([
      ['wal-4', 1 / 61 + 1 / 63],
      ['wal-3', 1 / 62 + 1 / 62],
      ['wal-1', 1 / 64 + 1 / 61],
      ['wal-2', 1 / 63 + 1 / 63],
    ]);
    expect(answer).toMatchObject({
      mode: 'hybrid',
      modeReason: 'Candidates were ranked by keywords and by vectors.',
      fusion: 'rrf',
    });
    expect(answer.counts).toEqual({ anyWord: 4, withVector: 3 });
  });

  it('are reported with the scores that they merge', async () => {
    await near({ 'wal-1': 0.9 });
    const last = (await world.byMeaning('wal')).ranked.find(({ keywordRank }) => keywordRank === 4);
    expect(last).toMatchObject({ bm25: expect.any(Number), vectorRank: 1 });
    expect(last?.cosine).toBeCloseTo(0.9, 6);
  });
});

describe('the union of candidates', () => {
  const union = { candidates: 'union' } as const;

  it('adds the nearest chunks of the project, which lack a keyword rank', async () => {
    await world.add('word', 'wal');
    await world.add('sense', 'journal');
    await near({ word: 0.5, sense: 0.9, 'filler-1': 0.31 });
    const answer = await world.byMeaning('wal', union);
    expect(scoresOf(answer)).toEqual([
      ['word', 1 / 61 + 1 / 62],
      ['sense', 1 / 64 + 1 / 61],
      ['filler-1', 1 / 64 + 1 / 63],
    ]);
    expect(answer.ranked[1]).not.toHaveProperty('keywordRank');
    expect(answer.counts).toMatchObject({ withVector: 3, vectorOnly: 2 });
  });

  it('finds chunks by meaning that no word finds, and only those that pass the filter', async () => {
    await world.add('sense', 'journal', 'manual');
    await near({ sense: 0.9, 'filler-1': 0.1 });
    const filter = { sourceTypes: ['manual'] } as const;
    const answer = await world.byMeaning('wal', { ...union, filter });
    expect([answer.mode, namesOf(answer.ranked)]).toEqual(['hybrid', ['sense']]);
  });

  it('adds 50 at most, the nearest ones', async () => {
    for (let i = 0; i < 52; i += 1) await world.add(`far-${i}`, `text${i}`);
    for (let i = 0; i < 52; i += 1) await world.near(`far-${i}`, 'wal', 0.9 - i / 100);
    const { ranked, counts } = await world.byMeaning('wal', union);
    expect(counts).toMatchObject({ vectorOnly: 50 });
    expect([namesOf(ranked)[0], namesOf(ranked).at(-1)]).toEqual(['far-0', 'far-49']);
  });

  it.each(['rrf', 'blend'] as const)(
    'leaves a structured query strict, with %s',
    async (fusion) => {
      await world.add('word', 'alpaca');
      await world.near('word', 'alpaca nowhere', 0.5);
      await world.near('filler-1', 'alpaca nowhere', 0.9);
      const found = async (text: string) =>
        namesOf((await world.byMeaning(text, { ...union, fusion })).ranked);
      expect(await found('alpaca AND nowhere')).toEqual([]);
      expect(await found('alpaca OR nowhere')).toEqual(['word']);
      expect((await found('alpaca nowhere')).toSorted()).toEqual(['filler-1', 'word']);
    },
  );

  it('is not computed if only keywords select the candidates', async () => {
    await world.add('word', 'wal');
    await near({ word: 0.1, 'filler-1': 0.9 });
    const { ranked, counts } = await world.byMeaning('wal');
    expect(namesOf(ranked)).toEqual(['word']);
    expect(counts).not.toHaveProperty('vectorOnly');
  });
});

describe('the compared vectors', () => {
  it('is text or questions, whichever is nearer', async () => {
    await world.add('word', 'wal');
    await world.near('word', 'wal', 0.5);
    await world.asked('word', 'wal', 0.9);
    const { ranked } = await world.byMeaning('wal');
    expect(ranked[0]?.cosine).toBeCloseTo(0.85, 6);
  });

  it('as specified is the stored vector alone', async () => {
    await world.add('word', 'wal');
    await world.near('word', 'wal', 0.5);
    await world.asked('word', 'wal', 0.9);
    const { ranked } = await world.byMeaning('wal', { profile: 'specified' });
    expect(ranked[0]?.cosine).toBeCloseTo(0.5, 6);
  });

  it('can turn the order of two chunks', async () => {
    await world.add('text', 'wal');
    await world.add('question', 'wal');
    await near({ text: 0.5, question: 0.4 });
    const vectorRank = async () => {
      const { ranked } = await world.byMeaning('wal');
      return ranked.find(({ chunk }) => chunk.sourceFile === 'question')?.vectorRank;
    };
    expect(await vectorRank()).toBe(2);
    await world.asked('question', 'wal', 0.9);
    expect(await vectorRank()).toBe(1);
  });

  it.each([
    ['wal NOT lock', 'wal lock'],
    ['"write ahead" OR journ*', 'write ahead journ'],
    ['(wal AND mode) NOT (lock OR busy)', 'wal mode lock busy'],
    ['How does the WAL work?', 'How does the WAL work?'],
    ['why is the "wal busy" ', 'why is the "wal busy" '],
  ])('with %j is the meaning %j', async (text, embedded) => {
    await world.byMeaning(text);
    expect(world.embedder.embedded).toEqual([embedded]);
  });
});

/** Cosines to the query `wal`. */
async function near(cosines: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, cosine] of Object.entries(cosines)) await world.near(name, 'wal', cosine);
}

function scoresOf({ ranked }: Retrieved) {
  return ranked.map(({ chunk, score }) => [chunk.sourceFile, score]);
}
