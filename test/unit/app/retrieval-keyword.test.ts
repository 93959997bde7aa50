import { beforeEach, describe, expect, it } from 'vitest';
import { makeRetrievalWorld, namesOf, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
});

describe('plain words read for results', () => {
  it('find the chunks with all of them, and only those', async () => {
    await addAll({ both: 'wal checkpoint', one: 'wal wal wal' });
    const { ranked, counts } = await world.byWords('checkpoint wal');
    expect(namesOf(ranked)).toEqual(['both']);
    expect(counts).toEqual({ anyWord: 1 });
  });

  it('find the chunks with any of them if none has all', async () => {
    await addAll({ wal: 'wal', point: 'checkpoint', other: 'vacuum' });
    const { ranked, counts } = await world.byWords('wal checkpoint');
    expect(namesOf(ranked)).toEqual(['wal', 'point']);
    expect(counts).toEqual({ anyWord: 2 });
  });

  it('are found by an informative word, not by a stop word', async () => {
    await addAll({ wal: 'wal', stop: 'the how' });
    const { ranked } = await world.byWords('how the wal');
    expect(namesOf(ranked)).toEqual(['wal']);
  });

  it('are all searched for if all of them are stop words', async () => {
    await addAll({ stop: 'the' });
    expect(namesOf((await world.byWords('how the')).ranked)).toEqual(['stop']);
  });

  it('come best first with their rank and BM25, at most as many as requested', async () => {
    await addAll({ weak: 'wal one two three', best: 'wal wal', good: 'wal' });
    const { ranked, mode, modeReason } = await world.byWords('wal', { maxResults: 2 });
    expect(namesOf(ranked)).toEqual(['best', 'good']);
    expect(ranked.map(({ keywordRank }) => keywordRank)).toEqual([1, 2]);
    for (const { score, bm25 } of ranked) {
      expect(score).toBeLessThan(0);
      expect(bm25).toBe(-score);
    }
    expect([mode, modeReason]).toEqual(['bm25', 'This search ranks by keywords only.']);
  });

  it('find nothing if there are none', async () => {
    const { ranked, counts } = await world.byWords('!!!');
    expect([ranked, counts]).toEqual([[], {}]);
  });

  it('are searched for only among the chunks that pass the filter', async () => {
    await world.add('lesson', 'wal checkpoint', 'reflection');
    await addAll({ note: 'wal' });
    const only = (sourceTypes: readonly 'file'[]) =>
      world.byWords('wal checkpoint', { filter: { sourceTypes } });
    expect(namesOf((await only(['file'])).ranked)).toEqual(['note']);
    expect((await only([])).ranked).toEqual([]);
  });
});

describe('a structured query', () => {
  beforeEach(() => addAll({ mode: 'wal mode', third: 'wal mode lock', turned: 'mode wal' }));

  it.each(['byWords', 'byCandidates'] as const)('is read as it is written (%s)', async (read) => {
    const { ranked, counts } = await world[read]('"wal mode" NOT lock');
    expect(namesOf(ranked)).toEqual(['mode']);
    expect(counts).toEqual({ structured: 1 });
  });

  it.each(['byWords', 'byCandidates'] as const)(
    'is read as words where it is a sentence that quotes and finds nothing (%s)',
    async (read) => {
      const { ranked, counts, query } = await world[read]('why the "lock vacuum"');
      expect(namesOf(ranked)).toEqual(['third']);
      expect([counts, query.kind]).toEqual([{ structured: 0, anyWord: 1 }, 'plain']);
    },
  );

  it.each(['byWords', 'byCandidates'] as const)(
    'stays as it is written where it is a sentence that quotes and finds something (%s)',
    async (read) => {
      await addAll({ words: 'why the lock wal', phrase: 'why the wal lock' });
      const { ranked, counts } = await world[read]('why the "wal lock"');
      expect([namesOf(ranked), counts]).toEqual([['phrase'], { structured: 1 }]);
    },
  );

  it.each(['byWords', 'byCandidates'] as const)(
    'is read as words, its operators too, where it is a sentence with a stressed AND and finds nothing (%s)',
    async (read) => {
      await addAll({ both: 'the wal AND its lock matter' });
      const { ranked, counts, query } = await world[read]('the lock its matter AND the vacuum');
      expect(namesOf(ranked)[0]).toBe('both');
      expect([counts.structured, query.kind]).toEqual([0, 'plain']);
    },
  );

  it.each(['byWords', 'byCandidates'] as const)(
    'without a stop word is not read again as words where it finds nothing (%s)',
    async (read) => {
      const { ranked, counts } = await world[read]('wal AND vacuum');
      expect([ranked, counts]).toEqual([[], { structured: 0 }]);
    },
  );
});

describe('plain words read for candidates', () => {
  it('find the chunks with any of them in the order of BM25, by one search', async () => {
    await addAll({ one: 'wal wal wal', both: `wal checkpoint ${'word '.repeat(50)}` });
    const { keywords } = world.store;
    const search = keywords.search.bind(keywords);
    let asked = 0;
    keywords.search = (query) => {
      asked += 1;
      return search(query);
    };
    const { ranked, counts } = await world.byCandidates('wal checkpoint');
    const scores = ranked.map(({ bm25 = 0 }) => bm25);
    expect(new Set(namesOf(ranked))).toEqual(new Set(['one', 'both']));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(ranked.map(({ keywordRank }) => keywordRank)).toEqual([1, 2]);
    expect([counts, asked]).toEqual([{ anyWord: 2 }, 1]);
  });

  it('are at most 50, however few results are requested', async () => {
    await addMany('one', 60, 'wal wal wal');
    const { ranked, counts } = await world.byCandidates('wal checkpoint', { maxResults: 1 });
    expect(new Set(namesOf(ranked)).size).toBe(50);
    expect(counts).toEqual({ anyWord: 50 });
  });
});

async function addAll(contents: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(contents)) await world.add(name, content);
}

async function addMany(name: string, count: number, content: string): Promise<void> {
  for (let i = 0; i < count; i += 1) await world.add(`${name}-${i}`, content);
}
