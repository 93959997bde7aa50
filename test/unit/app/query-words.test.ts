import { describe, expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import {
  withCorrectedWords,
  withMixedCaseWords,
  withSpellings,
} from '../../../src/app/search/query-words.js';
import type { RetrievalRequest } from '../../../src/app/search/retrieval.js';
import { readPlain, readQuery } from '../../../src/domain/query/query.js';

/** A project in which so many chunks hold these words. */
function projectWith(
  counts: Readonly<Record<string, number>>,
  mixedCase: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: (readonly string[])[] = [];
  const keywords = {
    countChunks: async (words: readonly string[]) => {
      asked.push(words);
      return { chunks: 100, holding: words.map((word) => counts[word] ?? 0) };
    },
    mixedCaseWords: async (letters: string) => {
      asked.push([letters]);
      return mixedCase[letters] ?? [];
    },
  };
  const project = { path: '/project', store: { keywords } } as unknown as Project;
  return { project, asked };
}

describe('a mistyped identifier', () => {
  const correct = async (
    text: string,
    counts: Readonly<Record<string, number>>,
    exactWords = text.split(' '),
  ) => {
    const { project, asked } = projectWith(counts);
    const request = { query: readPlain(text), exactWords } as unknown as RetrievalRequest;
    const { corrections, request: after } = await withCorrectedWords(project, request);
    const words = after.query.kind === 'plain' ? after.query.words : [];
    return { corrections, words, asked, isSame: after === request };
  };

  it('is replaced by the most frequent word that differs in one letter', async () => {
    const counts = { readFile: 9, readFila: 3, callers: 1 };
    const { corrections, words } = await correct('readFilr callers', counts);
    expect(corrections).toEqual([{ typed: 'readFilr', found: 'readFile' }]);
    expect(words).toEqual(['readFile', 'callers']);
  });

  it('stays if no word is like it, or if it occurs', async () => {
    expect(await correct('readFilr', {})).toMatchObject({ corrections: [], isSame: true });
    const known = await correct('readFilr', { readFilr: 1, readFile: 9 });
    expect(known).toMatchObject({ corrections: [], isSame: true });
    expect(known.asked).toHaveLength(1);
  });

  it('is one of the first two', async () => {
    const counts = { firstWord: 1, secondWord: 1, thirdWord: 1 };
    const { corrections } = await correct('firstWorx secondWorx thirdWorx', counts);
    expect(corrections.map(({ found }) => found)).toEqual(['firstWord', 'secondWord']);
  });

  it('is not looked for without identifiers, or in an expression', async () => {
    expect(await correct('readFilr', { readFile: 1 }, [])).toMatchObject({ asked: [] });
    const { project, asked } = projectWith({ readFile: 1 });
    const request = { query: readQuery('"readFilr" OR lock'), exactWords: ['readFilr'] };
    const { corrections } = await withCorrectedWords(project, request as never);
    expect([corrections, asked]).toEqual([[], []]);
  });
});

describe('other spellings', () => {
  const spell = async (text: string, counts: Readonly<Record<string, number>>) => {
    const { project, asked } = projectWith(counts);
    const { query, rare } = await withSpellings(project, readQuery(text));
    return { query, rare, asked };
  };

  it.each([
    [{ email: 4, 'e mail': 2 }, ['e mail'], []],
    [{ email: 4, 'e mail': 1 }, [], ['e mail']],
    [{ email: 4 }, [], []],
    [{ 'e mail': 1 }, ['e mail'], []],
  ])('count if they are half as common: %j', async (counts, spellings, rare) => {
    const found = await spell('email', { other: 1, ...counts });
    expect(found.query).toMatchObject({ spellings: expect.arrayContaining(spellings) });
    expect(JSON.stringify(found.query).includes('e mail')).toBe(spellings.length > 0);
    expect(found.rare).toEqual(rare);
  });

  it('are counted for each word', async () => {
    const counts = { email: 4, 'e mail': 4, '16GB': 4, '16 GB': 1 };
    const { query, rare } = await spell('email 16GB', counts);
    expect(query).toMatchObject({ spellings: ['e mail'] });
    expect(rare).toEqual(['16 GB']);
  });

  it('are two words only of an unknown long word', async () => {
    const known = await spell('dataflow', { dataflow: 4, 'data flow': 9 });
    expect([known.rare, known.asked]).toEqual([[], [['dataflow']]]);
    const { query } = await spell('dataflow', { 'data flow': 9 });
    expect(query).toMatchObject({ spellings: expect.arrayContaining(['data flow']) });
  });

  it('are two words of at most four unknown words', async () => {
    const words = ['pageflow', 'rowsflow', 'textflow', 'wordflow', 'lineflow'];
    const { asked } = await spell(words.join(' '), {});
    const pairs = asked[1] ?? [];
    expect(pairs).toContain('word flow');
    expect(pairs).not.toContain('line flow');
  });

  it('are not looked for without words that have any', async () => {
    expect(await spell('lock', {})).toMatchObject({ rare: [], asked: [] });
  });

  it('are added to the words of a sentence that looks like an expression', async () => {
    const counts = { email: 4, 'e mail': 1, '16GB': 4, '16 GB': 4 };
    const { query, rare } = await spell('why do the email AND 16GB wait', counts);
    expect(query).toMatchObject({ kind: 'structured', plainFallback: { spellings: ['16 GB'] } });
    expect(rare).toEqual([]);
    const other = await spell('"email" OR 16GB', counts);
    expect(other).toMatchObject({ query: { kind: 'structured' }, rare: [], asked: [] });
  });
});

describe('words in mixed case', () => {
  const NAME = 'resolveProjectRoot';
  const find = async (text: string, mixedCase: Readonly<Record<string, readonly string[]>>) => {
    const { project, asked } = projectWith({}, mixedCase);
    const query = await withMixedCaseWords(project, readQuery(text));
    return { spellings: query?.spellings, asked: asked.flat() };
  };

  it('are looked for by all words, then by pairs, then by each', async () => {
    const { spellings, asked } = await find('Resolve project root', {});
    expect(spellings).toBeUndefined();
    const pairs = ['resolveproject', 'projectroot'];
    expect(asked).toEqual(['resolveprojectroot', ...pairs, 'resolve', 'project', 'root']);
  });

  it('are those of the first look-up that finds any', async () => {
    const names = { projectroot: [NAME, 'projectRoots'], resolve: ['resolveAll'] };
    const { spellings, asked } = await find('resolve project root', names);
    expect(spellings).toEqual([NAME, 'projectRoots']);
    expect(asked.at(-1)).toBe('projectroot');
  });

  it('have parts of three letters and more', async () => {
    expect((await find('x9 db root1 2root', {})).asked).toEqual([]);
    expect((await find('db root', { root: ['projectRoot'] })).spellings).toEqual(['projectRoot']);
  });

  it('have at most four parts', async () => {
    const four = 'resolve project root folder';
    expect((await find(four, { root: [NAME] })).spellings).toEqual([NAME]);
    expect((await find(`${four} path`, { root: [NAME] })).asked).toEqual([]);
  });

  it('are not looked for in an expression', async () => {
    expect((await find('"project root"', { projectroot: [NAME] })).asked).toEqual([]);
  });
});
