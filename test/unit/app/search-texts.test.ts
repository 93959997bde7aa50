import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import { SOURCE_TYPES } from '../../../src/domain/chunks/chunk.js';
import type { SearchAnswer } from '../../../src/schemas/explanation.js';
import { makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

const UNUSED = [0, undefined];

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
});

describe('a search for lessons', () => {
  it('finds reflections and agent outputs only', async () => {
    for (const type of SOURCE_TYPES) await world.add(type, 'wal', type);
    const answer = await lessons('wal');
    expect(namesIn(answer)).toEqual(['reflection', 'agent_output']);
  });

  it('reads any text as words', async () => {
    await world.add('lesson', 'wal', 'reflection');
    for (const text of ['"wal" AND', '"wal" AND lock', 'wal NOT wal', '(wal']) {
      const answer = await lessons(text);
      expect(answer.explanation.query).toEqual({ kind: 'plain', terms: text.match(/\w+/g) });
      expect(namesIn(answer)).toEqual(['lesson']);
    }
  });

  it('finds nothing for a blank text', async () => {
    expect(namesIn(await lessons(' '))).toEqual([]);
  });

  it('finds chunks with any of the words, best BM25 first', async () => {
    await world.add('any', 'wal', 'reflection');
    await world.add('all', 'wal lock', 'agent_output');
    expect(namesIn(await lessons('wal lock'))).toEqual(['all', 'any']);
  });

  it('keeps to 3000 tokens', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await world.add(name, `wal ${'x'.repeat(3996)}`, 'reflection');
    }
    const { explanation, totalTokens } = await lessons('wal');
    expect(totalTokens).toBe(3000);
    expect(explanation.budget).toMatchObject({ maxTokens: 3000, cut: 1 });
  });

  it('returns 5 results, or as many as requested', async () => {
    for (let i = 0; i < 9; i += 1) await world.add(`lesson-${i}`, 'wal', 'reflection');
    expect(namesIn(await lessons('wal'))).toHaveLength(5);
    expect(namesIn(await lessons('wal', { maxResults: 7 }))).toHaveLength(7);
  });

  it('leaves sources out and counts the retrieval of the others', async () => {
    await world.add('own', 'wal', 'reflection');
    await world.add('other', 'wal', 'reflection');
    const answer = await lessons('wal', { excludedSources: ['own'] });
    expect(namesIn(answer)).toEqual(['other']);
    expect(useOf('own')).toEqual(UNUSED);
    expect(useOf('other')).toEqual([1, '2026-01-01T00:00:00.000Z']);
  });
});

describe('a look-up of similar chunks', () => {
  it('goes by the first 20 words of the text', async () => {
    const words = Array.from({ length: 25 }, (_, i) => `word${i}`);
    await world.add('early', 'word19');
    await world.add('late', 'word20');
    const answer = await similar(`\n ${words.join(' \n')}`);
    expect(namesIn(answer)).toEqual(['early']);
    expect(answer.explanation.query).toEqual({ kind: 'plain', terms: words.slice(0, 20) });
    expect(world.embedder.embedded).toEqual([words.slice(0, 20).join(' ')]);
  });

  it('counts the words that are left once the text is sanitised', async () => {
    await world.add('chunk', 'wal');
    expect(namesIn(await similar('"wal" AND'))).toEqual(['chunk']);
    expect(namesIn(await similar(`${'— '.repeat(30)}wal`))).toEqual(['chunk']);
    await world.add('late', 'word20');
    const joined = Array.from({ length: 11 }, (_, i) => `word${2 * i}-word${2 * i + 1}`);
    expect(namesIn(await similar(joined.join(' ')))).toEqual([]);
  });

  it('changes no metric', async () => {
    await world.add('chunk', 'wal');
    expect(namesIn(await similar('wal'))).toEqual(['chunk']);
    expect(useOf('chunk')).toEqual(UNUSED);
  });

  it('finds every source type but not the source that is left out', async () => {
    for (const type of SOURCE_TYPES) await world.add(type, 'wal', type);
    expect(namesIn(await similar('wal'))).toEqual(SOURCE_TYPES);
    const others = await similar('wal', { sourceFile: 'file' });
    expect(namesIn(others)).toEqual(SOURCE_TYPES.slice(1));
  });

  it('returns as many results as requested, however long they are', async () => {
    for (const name of ['a', 'b', 'c']) await world.add(name, `wal ${'x'.repeat(40_000)}`);
    expect(namesIn(await similar('wal', { maxResults: 2 }))).toEqual(['a', 'b']);
    expect(namesIn(await similar('wal'))).toHaveLength(3);
  });

  it('finds nothing for a blank text', async () => {
    expect(namesIn(await similar(' \n'))).toEqual([]);
  });
});

function lessons(text: string, options?: Partial<SearchParameters>) {
  return world.searchOnly.reflections({ projectPath: '/project', query: text, ...options });
}

function similar(text: string, options?: { sourceFile?: string; maxResults?: number }) {
  return world.hybridSearch.similar({ projectPath: '/project', text, ...options });
}

function namesIn({ results }: SearchAnswer): readonly string[] {
  return results.map(({ chunk }) => chunk.sourceFile);
}

function useOf(name: string) {
  return [world.row(name)?.retrievalCount, world.row(name)?.lastRetrievedAt ?? undefined];
}
