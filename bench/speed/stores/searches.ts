import type { Expression } from '../../../src/domain/query/expression.js';
import { allWords, anyInformativeWord } from '../../../src/domain/query/query.js';
import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import type { MadeUpChunks, MadeUpSource } from '../made-up-chunks.js';

/** Queries of each kind. */
export const QUERIES = 24;
const LIMIT = 50;
const everything = { sourceTypes: 'all' } as const;
const typed = { sourceTypes: ['file', 'reflection'] } as const;

/** One kind of search, as a function of the number of a query. */
export interface StoreSearch {
  readonly name: string;
  /** Whether it finds chunks by any of some words: what a service does with most queries. */
  readonly isAnyWord: boolean;
  readonly run: (store: ProjectStore, i: number) => Promise<unknown>;
}

export function storeSearches(
  madeUp: MadeUpChunks,
  sources: readonly MadeUpSource[],
): readonly StoreSearch[] {
  const make = <T>(one: () => T): readonly T[] => Array.from({ length: QUERIES }, one);
  const words = [
    ['2', make(() => any(madeUp.query(2)))],
    ['8', make(() => any(madeUp.query(8)))],
    ['30', make(() => any(madeUp.passage(30)))],
  ] as const;
  const eight = words[1][1];
  const both = make(() => allWords(madeUp.query(2)) as Expression);
  const vectors = make(() => madeUp.vector());
  const ids = sources.slice(0, LIMIT).map(({ chunks }) => chunks[3]?.id ?? '');
  return [
    ...words.map(([number, queries]) => ({
      ...search(`any of ${number} words`, queries, everything),
      isAnyWord: true,
    })),
    search('any of 8 words, filtered by type', eight, typed),
    search('all of 2 words', both, everything),
    {
      name: 'score 50 chunks',
      isAnyWord: false,
      run: ({ keywords }, i) => keywords.score(of(eight, i), ids),
    },
    {
      name: 'nearest 50',
      isAnyWord: false,
      run: (store, i) => store.vectors.nearest(of(vectors, i), everything, LIMIT),
    },
  ];
}

function search(
  name: string,
  queries: readonly Expression[],
  filter: typeof everything | typeof typed,
): StoreSearch {
  const run = ({ keywords }: ProjectStore, i: number) =>
    keywords.search(of(queries, i), filter, LIMIT);
  return { name, isAnyWord: false, run };
}

function any(words: readonly string[]): Expression {
  return anyInformativeWord(words) as Expression;
}

function of<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T;
}
