import { beforeEach, describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import { allWords, anyInformativeWord } from '../../../src/domain/query/query.js';
import { scoresOf } from '../../contract/harness/steps.js';
import { idOf, makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

const QUERY = 'the wal checkpoint';
const WORDS = QUERY.split(' ');
const BLEND = { fusion: 'blend' } as const;

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
  await world.add('all', 'the wal checkpoint');
  await world.add('any', 'wal wal');
});

describe('blending', () => {
  it('compares BM25 of one and the same expression for all candidates', async () => {
    await world.near('all', QUERY, 0.5);
    const { ranked, fusion } = await world.byMeaning(QUERY, BLEND);
    const any = await scoresBy(anyInformativeWord(WORDS));
    const strict = await scoresBy(allWords(WORDS));
    expect(fusion).toBe('blend');
    expect(new Map(ranked.map(({ chunk, bm25 }) => [chunk.id, bm25]))).toEqual(any);
    expect(any.get(idOf('all'))).not.toBe(strict.get(idOf('all')));
  });

  it('adds the share of BM25 and 0.54 of the z-score of the cosine', async () => {
    await world.near('all', QUERY, 0.2);
    await world.near('any', QUERY, 0.8);
    const { ranked } = await world.byMeaning(QUERY, BLEND);
    const scores = await scoresBy(anyInformativeWord(WORDS));
    const [all = 0, any = 0] = ['all', 'any'].map((name) => scores.get(idOf(name)) ?? 0);
    const mean = (all + any) / 2;
    const byId = new Map(ranked.map(({ chunk, score }) => [chunk.sourceFile, score]));
    expect(byId.get('any')).toBeCloseTo(any / mean + 0.54, 5);
    expect(byId.get('all')).toBeCloseTo(all / mean - 0.54, 5);
  });

  it('takes the expression itself of a structured query', async () => {
    await world.near('all', 'wal', 0.5);
    const { ranked } = await world.byMeaning('wal NOT checkpoint OR (wal AND the)', BLEND);
    const { ranked: before } = await world.byCandidates('wal NOT checkpoint OR (wal AND the)');
    const pairs = (list: typeof ranked) => new Map(list.map(({ chunk, bm25 }) => [chunk.id, bm25]));
    expect(pairs(ranked)).toEqual(pairs(before));
  });

  it('takes the words of a sentence that quotes what nothing holds', async () => {
    const sentence = 'why the "checkpoint wal"';
    await world.near('all', sentence, 0.5);
    const { ranked } = await world.byMeaning(sentence, BLEND);
    const any = await scoresBy(anyInformativeWord(['why', 'the', 'checkpoint', 'wal']));
    expect(new Map(ranked.map(({ chunk, bm25 }) => [chunk.id, bm25]))).toEqual(any);
  });

  it('asks for BM25 also of a chunk that only the vectors found', async () => {
    for (let i = 0; i < 50; i += 1) await world.add(`more-${i}`, 'vacuum vacuum');
    await world.add('late', 'vacuum');
    await world.near('late', 'vacuum', 0.9);
    await world.fill(200);
    const union = { ...BLEND, candidates: 'union' } as const;
    const { ranked } = await world.byMeaning('vacuum', union);
    const late = ranked.find(({ chunk }) => chunk.sourceFile === 'late');
    expect(late).not.toHaveProperty('keywordRank');
    expect(late?.bm25).toBeGreaterThan(0);
  });

  it('leaves out BM25 of a chunk that holds no word of the query', async () => {
    await world.near('filler-1', QUERY, 0.9);
    const { ranked } = await world.byMeaning(QUERY, { ...BLEND, candidates: 'union' });
    const filler = ranked.find(({ chunk }) => chunk.sourceFile === 'filler-1');
    expect(filler).not.toHaveProperty('bm25');
  });

  it.each(['!!!', '🎉'])('finds nothing for a query without words: %s', async (text) => {
    await world.near('any', text, 0.9);
    const { ranked } = await world.byMeaning(text, { ...BLEND, candidates: 'union' });
    expect(ranked).toEqual([]);
  });
});

function scoresBy(expression: Expression | undefined): Promise<ReadonlyMap<string, number>> {
  if (expression === undefined) throw new Error('There is no word.');
  return scoresOf(world.store, expression, [idOf('all'), idOf('any')]);
}
