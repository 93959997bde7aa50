import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chunksIn,
  execute,
  ISO_DATE,
  insertChunk,
  matchInCopy,
} from '../support/database-inspection.js';
import { asShipped, eventually } from '../support/running-service.js';
import {
  type Client,
  okBody,
  startClient,
  type TestedVariant,
  VARIANTS,
} from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

asShipped();

const projects = new TempProjects();
afterAll(() => projects.removeAll());

/** All subsets of four words, so that every expression finds another set. */
const LETTERS = ['alpaca', 'bonobo', 'caracal', 'dugong'] as const;
const SUBSETS = Array.from({ length: 15 }, (_, i) =>
  LETTERS.filter((_letter, bit) => ((i + 1) >> bit) & 1),
);

describe.each(VARIANTS)('search in the %s variant', (variant) => {
  let client: Client;
  let animals: TempProject;
  beforeAll(async () => {
    client = await startClient(variant);
    animals = projects.make();
    for (const subset of SUBSETS)
      animals.write(`${subset.map((name) => name[0]).join('')}.md`, `${subset.join(' ')} filler`);
    okBody(await client.rebuild(animals));
  });
  afterAll(() => client.service.stop());

  /** The subsets that a query finds, as `abc`. */
  async function found(query: string, project = animals): Promise<readonly string[]> {
    return (await client.ids(project, query, { maxResults: 1000 }))
      .map((id) => id.replace('.md#0', ''))
      .toSorted();
  }

  const [A, B, C, D] = LETTERS;
  const has = (letter: string) => (name: string) => name.includes(letter);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(has) as [Test, Test, Test, Test];

  test.each<[string, Test]>([
    [`"${A}"`, a],
    [`"${A} ${B}"`, (n) => n.startsWith('ab')],
    [`"${A}" ${C}`, (n) => a(n) && c(n)],
    [`${A} OR ${B}`, (n) => a(n) || b(n)],
    [`${A} OR ${B} AND ${C}`, (n) => a(n) || (b(n) && c(n))],
    [`(${A} OR ${B}) AND ${C}`, (n) => (a(n) || b(n)) && c(n)],
    [`${A} NOT ${B} NOT ${C}`, (n) => a(n) && !b(n) && !c(n)],
    [`${A} NOT (${B} OR ${C})`, (n) => a(n) && !b(n) && !c(n)],
    [`${A} ${B} OR ${C} ${D}`, (n) => (a(n) && b(n)) || (c(n) && d(n))],
    ['alp*', a],
    [`"${A} bon" *`, (n) => n.startsWith('ab')],
    [`"ALPACA" AND "Bonobo"`, (n) => a(n) && b(n)],
  ])('structured %s means what FTS5 means', async (query, matches) => {
    const names = SUBSETS.map((subset) => subset.map((name) => name[0]).join(''));
    expect(await found(query)).toEqual(names.filter(matches).toSorted());
    const inFts5 = matchInCopy(animals.database, query).map(({ id }) => id.replace('.md#0', ''));
    expect(await found(query)).toEqual(inFts5.toSorted());
  });

  test('scores are the BM25 scores of FTS5, ascending', async () => {
    for (const query of ['"alpaca"', 'alpaca OR bonobo', 'alp*', 'caracal NOT dugong']) {
      const results = await client.results(animals, query);
      const expected = matchInCopy(animals.database, query);
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((x, y) => x - y));
      expect(results).toHaveLength(expected.length);
      for (const { chunk, score } of results) {
        expect(score).toBeCloseTo(
          expected.find(({ id }) => id === chunk.id)?.score ?? Number.NaN,
          9,
        );
      }
    }
  });

  test('20 results are the default; 50 candidates bound the hybrid variant only', async () => {
    const project = projects.make({
      'a.md': Array.from({ length: 70 }, (_, i) => `okapi number${i}`).join('\n\n'),
    });
    okBody(await client.rebuild(project));
    expect(await client.results(project, 'okapi')).toHaveLength(20);
    const most = variant === 'hybrid' ? 50 : 70;
    expect(await client.results(project, 'okapi', { maxResults: 1000 })).toHaveLength(most);
    expect(await client.results(project, '"okapi"', { maxResults: 1000 })).toHaveLength(most);
  });

  test('a first chunk bigger than the budget returns nothing, though smaller ones would fit', async () => {
    const project = projects.make({
      'a.md': `tapir tapir tapir tapir ${'x'.repeat(100)}`,
      'b.md': 'tapir and many other words of no use here at all',
    });
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'tapir', { maxTokens: 31 })).toEqual(['a.md#0']);
    expect(await client.ids(project, 'tapir', { maxTokens: 20 })).toEqual([]);
  });

  test('the returned chunks, and only they, are counted before the answer', async () => {
    const project = projects.make({
      'a.md': 'tapir',
      'b.md': 'tapir with more words',
      'c.md': 'ibex',
    });
    okBody(await client.rebuild(project));
    const counts = () =>
      chunksIn(project.database).map(({ retrieval_count, last_retrieved_at }) => [
        retrieval_count,
        last_retrieved_at,
      ]);
    const begin = new Date().toISOString();
    expect(await client.ids(project, 'tapir', { maxResults: 1 })).toEqual(['a.md#0']);
    expect(counts()).toEqual([
      [1, expect.stringMatching(ISO_DATE)],
      [0, null],
      [0, null],
    ]);
    const at = String(counts()[0]?.[1]);
    expect(at >= begin && at <= new Date().toISOString()).toBe(true);
    await client.results(project, 'tapir');
    await client.results(project, '!!!');
    await client.results(project, 'tapir', { maxTokens: 1 });
    await client.stats(project);
    expect(counts().map(([count]) => count)).toEqual([2, 1, 0]);
    const unchanged = chunksIn(project.database)[0];
    expect(unchanged?.updated_at).toBe(unchanged?.created_at);
  });

  test('no search waits for a lock of another process, and its counts follow', async () => {
    const project = projects.make({ 'a.md': 'the tapir' });
    const indexing = await startClient(variant);
    okBody(await indexing.rebuild(project));
    await indexing.service.stop();
    const other = new Database(project.database);
    other.exec('BEGIN IMMEDIATE');
    const times: number[] = [];
    for (let i = 0; i < 25; i += 1) {
      const begin = performance.now();
      expect(await client.ids(project, 'tapir')).toEqual(['a.md#0']);
      times.push(performance.now() - begin);
    }
    other.exec('COMMIT');
    other.close();
    expect(times.toSorted((x, y) => x - y)[23]).toBeLessThan(300);
    expect(times[0]).toBeLessThan(3000);
    const counts = () => chunksIn(project.database).map((chunk) => chunk.retrieval_count);
    await eventually(() => counts()[0] === 25);
  });

  test('chunks that another program inserts are found at once', async () => {
    const project = projects.make();
    okBody(await client.open(project));
    insertChunk(project.database, {
      id: 'mine',
      source_type: 'manual',
      content: 'a quetzal',
      heading: 'Birds',
      created_at: '2026-01-02 03:04:05',
      tags: '["x"]',
    });
    const [first] = await client.results(project, 'quetzal');
    expect(first?.chunk).toMatchObject({
      id: 'mine',
      sourceType: 'manual',
      heading: 'Birds',
      tags: ['x'],
    });
    execute(project.database, "UPDATE chunks SET content = 'a motmot' WHERE id = 'mine'");
    expect(await client.ids(project, 'quetzal')).toEqual([]);
    expect(await client.ids(project, 'motmot')).toEqual(['mine']);
    execute(project.database, "DELETE FROM chunks WHERE id = 'mine'");
    expect(await client.ids(project, 'motmot')).toEqual([]);
  });

  test('plain words: all of them, or else any', () => plainWords(client, variant));
});

type Test = (name: string) => boolean;

async function plainWords(client: Client, variant: TestedVariant): Promise<void> {
  const project = projects.make({
    'both.md':
      'the alpaca met the bonobo in a long text with many words that lower its score a lot indeed',
    'one.md': 'alpaca',
    'other.md': 'the bonobo',
    'none.md': 'the dugong was there, and why not with the one',
  });
  okBody(await client.rebuild(project));
  const all = await client.ids(project, 'alpaca bonobo');
  if (variant === 'search-only') expect(all).toEqual(['both.md#0']);
  else {
    expect(all[0]).toBe('both.md#0');
    expect(all.slice(1).toSorted()).toEqual(['one.md#0', 'other.md#0']);
  }
  // Stop words say nothing: they find no chunk by themselves when there are better words.
  const any = await client.ids(project, 'why the alpaca was there with nobody');
  expect(any.toSorted()).toEqual(['both.md#0', 'one.md#0']);
  const results = await client.results(project, 'alpaca bonobo zebu');
  const expected = matchInCopy(project.database, 'alpaca OR bonobo OR zebu');
  expect(results.map(({ chunk }) => chunk.id)).toEqual(expected.map(({ id }) => id));
  for (const [i, { score }] of results.entries())
    expect(score).toBeCloseTo(expected[i]?.score ?? 0, 9);
  expect((await client.ids(project, 'the there')).length).toBeGreaterThan(0);
}
