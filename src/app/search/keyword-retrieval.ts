import { KEYWORD_CANDIDATES } from '../../domain/limits.js';
import { exactExpression } from '../../domain/query/exact-words.js';
import { asWords, type Expression } from '../../domain/query/expression.js';
import { toFtsMatch } from '../../domain/query/fts-match.js';
import {
  allWords,
  anyInformativeWord,
  anyWordOrPart,
  type Query,
} from '../../domain/query/query.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { KeywordQuery } from '../../ports/keyword-index.js';
import type { Project } from '../project.js';
import { withCorrectedWords, withMixedCaseWords, withSpellings } from './query-words.js';
import type { RetrievalRequest, Retrieve, Retrieved } from './retrieval.js';

/**
 * Up to `maxResults` chunks with all of the words or, if there are none, with any informative word. Scores are FTS5's:
 * lower is better.
 */
export const retrieveByAllWords: Retrieve = async (project, request) =>
  withFtsScores(
    await retrieveByWords(project, request, {
      limit: request.maxResults,
      readings: [allWords, anyInformativeWord],
      words: 'stored',
    }),
  );

/** Up to 50 chunks with any informative word. Scores are FTS5's: lower is better. */
export const retrieveByText: Retrieve = async (project, request) =>
  withFtsScores(await retrieveByStoredWords(project, request));

/** Up to 50 chunks with any informative word, in the order of FTS5. */
export const retrieveByStoredWords: Retrieve = (project, request) =>
  retrieveByWords(project, request, {
    limit: KEYWORD_CANDIDATES,
    readings: [anyInformativeWord],
    words: 'stored',
  });

/**
 * Up to 50 chunks with any informative word or a part of one. Corrects identifiers and, for plain words, also searches
 * file names. If nothing is found, tries mixed-case words that have the query's words as parts. Then appends chunks
 * with the request's exact words, or with rare spellings.
 */
export const retrieveByAnyWord: Retrieve = async (project, request) => {
  const { request: corrected, corrections } = await withCorrectedWords(project, request);
  const { query, rare } = await withSpellings(project, corrected.query);
  const search = (spelled: Query) =>
    retrieveByWords(project, { ...corrected, query: spelled }, ANY_WORD);
  const byWords = await search(query);
  const parts = byWords.ranked.length > 0 ? undefined : await withMixedCaseWords(project, query);
  const found = parts === undefined ? byWords : await search(parts);
  const added = [...request.exactWords, ...rare];
  const ranked = await withLiteral(project, request, { ranked: found.ranked, words: added });
  return { ...found, ranked, ...(corrections.length > 0 && { corrections }) };
};

const ANY_WORD: Strategy = {
  limit: KEYWORD_CANDIDATES,
  readings: [anyWordOrPart],
  names: 'counted',
};

/** Appends the chunks that contain the exact words. */
async function withLiteral(
  { store }: Project,
  { filter }: RetrievalRequest,
  { ranked, words }: { readonly ranked: readonly ScoredChunk[]; readonly words: readonly string[] },
): Promise<readonly ScoredChunk[]> {
  if (words.length === 0) return ranked;
  const expression = exactExpression(words);
  const hits = await store.keywords.search({ expression, filter, limit: EXACT_CANDIDATES });
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = hits.filter(({ chunk }) => !known.has(chunk.id));
  const { score: last = 0 } = ranked.at(-1) ?? {};
  return [
    ...ranked,
    ...added.map(({ chunk }, i) => ({
      chunk,
      score: last,
      bm25: last,
      keywordRank: ranked.length + i + 1,
    })),
  ];
}

const EXACT_CANDIDATES = 50;

interface Strategy extends Pick<KeywordQuery, 'limit' | 'words' | 'names'> {
  /** Expressions for plain words, tried in order until one finds something. */
  readonly readings: readonly Reading[];
}

type Reading = (words: readonly string[], spellings?: readonly string[]) => Expression | undefined;

/** Ranks by BM25 alone (docs/specification.md, "Query syntax"). */
async function retrieveByWords(
  { store }: Project,
  { query: asked, filter }: RetrievalRequest,
  { readings, names, ...strategy }: Strategy,
): Promise<Retrieved> {
  const modeReason = 'This search ranks by keywords only.';
  const nothing = { match: '', ranked: [], mode: 'bm25', modeReason, counts: {} } as const;
  let found: Retrieved = { query: asked, ...nothing };
  for (const { query, expression } of listAttempts(asked, readings)) {
    const isPlain = query.kind === 'plain';
    const hits = await store.keywords.search({
      expression,
      filter,
      ...strategy,
      ...(isPlain && names && { names }),
    });
    const list = isPlain ? 'anyWord' : 'structured';
    const ranked = hits.map((hit, index) => ({ ...hit, keywordRank: index + 1 }));
    const match = toFtsMatch(asWords(expression));
    found = { ...found, query, match, ranked, counts: { ...found.counts, [list]: hits.length } };
    if (hits.length > 0) break;
  }
  return found;
}

interface Attempt {
  readonly query: Query;
  readonly expression: Expression;
}

/** Lists the expressions to try. A sentence that looks like an expression is tried as one, then as plain words. */
function listAttempts(query: Query, readings: Strategy['readings']): readonly Attempt[] {
  if (query.kind === 'structured') {
    const { expression, plainFallback } = query;
    const fallback = plainFallback === undefined ? [] : listAttempts(plainFallback, readings);
    return [{ query, expression }, ...fallback];
  }
  return readings.flatMap((read) => {
    const expression = read(query.words, query.spellings);
    return expression === undefined ? [] : { query, expression };
  });
}

function withFtsScores(retrieved: Retrieved): Retrieved {
  return {
    ...retrieved,
    ranked: retrieved.ranked.map((scored) => ({ ...scored, score: -scored.score })),
  };
}
