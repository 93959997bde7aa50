import { KEYWORD_CANDIDATES } from '../../domain/limits.js';
import { exactExpression } from '../../domain/query/exact-words.js';
import type { Expression } from '../../domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  anyWordOrPart,
  type Query,
} from '../../domain/query/query.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieve, Retrieved } from './retrieval.js';

/** Up to `maxResults` chunks with all of the words; only if there are none, with any informative word. */
export const retrieveByAllWords: Retrieve = (project, request) =>
  retrieveByWords(project, request, {
    limit: request.maxResults,
    readings: [allWords, anyInformativeWord],
  });

/**
 * Up to 50 chunks with any informative word or a part of one; those of plain words also by the names of their files. Then those with
 * the exact words of the request.
 */
export const retrieveByAnyWord: Retrieve = async (project, request) => {
  const found = await retrieveByWords(project, request, {
    limit: KEYWORD_CANDIDATES,
    readings: [anyWordOrPart],
    names: 'counted',
  });
  return { ...found, ranked: await withExact(project, request, found.ranked) };
};

/** Adds, behind the others, the chunks that hold the exact words of the request. */
async function withExact(
  { store }: Project,
  { exactWords, filter }: RetrievalRequest,
  ranked: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  if (exactWords.length === 0) return ranked;
  const expression = exactExpression(exactWords);
  const hits = await store.keywords.search({ expression, filter, limit: EXACT_CANDIDATES });
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = hits.filter(({ chunk }) => !known.has(chunk.id));
  const { score: last = 0 } = ranked.at(-1) ?? {};
  return [
    ...ranked,
    ...added.map(({ chunk }, i) => ({
      ...{ chunk, score: last, bm25: last },
      keywordRank: ranked.length + i + 1,
    })),
  ];
}

const EXACT_CANDIDATES = 50;

interface Strategy {
  readonly limit: number;
  /** What to look for of plain words, one after the other, until something is found. */
  readonly readings: readonly ((words: readonly string[]) => Expression | undefined)[];
  /** Whether plain words find a chunk by the names of its file, too; default `ignored`. */
  readonly names?: 'counted' | 'ignored';
}

/** Ranks by BM25 only (docs/specification.md, "Query syntax"). */
async function retrieveByWords(
  { store }: Project,
  { query: asked, filter }: RetrievalRequest,
  strategy: Strategy,
): Promise<Retrieved> {
  const modeReason = 'This search ranks by keywords only.';
  let found: Retrieved = { query: asked, ranked: [], mode: 'bm25', modeReason, counts: {} };
  for (const { query, expression } of attemptsOf(asked, strategy)) {
    const isPlain = query.kind === 'plain';
    const { limit, names = 'ignored' } = strategy;
    const hits = await store.keywords.search({
      ...{ expression, filter, limit },
      ...(isPlain && { names }),
    });
    const list = isPlain ? 'anyWord' : 'structured';
    const ranked = hits.map((hit, index) => ({ ...hit, keywordRank: index + 1 }));
    found = { ...found, query, ranked, counts: { ...found.counts, [list]: hits.length } };
    if (hits.length > 0) break;
  }
  return found;
}

interface Attempt {
  readonly query: Query;
  readonly expression: Expression;
}

/** A sentence that looks like an expression is tried as one before it is read as words. */
function attemptsOf(query: Query, strategy: Strategy): readonly Attempt[] {
  if (query.kind === 'structured') {
    const { expression, plainFallback } = query;
    const fallback = plainFallback === undefined ? [] : attemptsOf(plainFallback, strategy);
    return [{ query, expression }, ...fallback];
  }
  return strategy.readings.flatMap((read) => {
    const expression = read(query.words);
    return expression === undefined ? [] : { query, expression };
  });
}
