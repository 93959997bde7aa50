import { KEYWORD_CANDIDATES } from '../../domain/limits.js';
import type { Expression } from '../../domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  type PlainQuery,
  type Query,
} from '../../domain/query/query.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

/** Ranks by BM25 only (docs/specification.md, "Query syntax"). */
export class KeywordRetriever implements Retriever {
  readonly #strategy: Strategy;

  private constructor(strategy: Strategy) {
    this.#strategy = strategy;
  }

  /** Up to `maxResults` chunks with all of the words; only if there are none, with any informative word. */
  static forResults(): KeywordRetriever {
    return new KeywordRetriever({
      limitOf: ({ maxResults }) => maxResults,
      expressionsFor: (words) => [allWords(words), anyInformativeWord(words)],
    });
  }

  /** Up to 50 chunks with any informative word, to be ranked by vectors as well. */
  static forCandidates(): KeywordRetriever {
    return new KeywordRetriever({
      limitOf: () => KEYWORD_CANDIDATES,
      expressionsFor: (words) => [anyInformativeWord(words)],
    });
  }

  async retrieve({ store }: Project, request: RetrievalRequest): Promise<Retrieved> {
    const limit = this.#strategy.limitOf(request);
    let found = nothingFound(request.query);
    for (const { query, expression } of this.#attempts(request.query)) {
      const hits = await store.keywords.search(expression, request.filter, limit);
      const list = query.kind === 'plain' ? 'anyWord' : 'structured';
      const ranked = hits.map((hit, index) => ({ ...hit, keywordRank: index + 1 }));
      found = { ...found, query, ranked, counts: { ...found.counts, [list]: hits.length } };
      if (hits.length > 0) break;
    }
    return found;
  }

  /** A sentence that looks like an expression is tried as one before it is read as words. */
  #attempts(query: Query): readonly Attempt[] {
    if (query.kind === 'plain') return this.#plainAttempts(query);
    const { expression, plainFallback } = query;
    const fallback = plainFallback === undefined ? [] : this.#plainAttempts(plainFallback);
    return [{ query, expression }, ...fallback];
  }

  #plainAttempts(query: PlainQuery): readonly Attempt[] {
    const expressions = this.#strategy.expressionsFor(query.words);
    return expressions.flatMap((expression) => (expression ? { query, expression } : []));
  }
}

interface Strategy {
  readonly limitOf: (request: RetrievalRequest) => number;
  /** What to look for, one after the other, until something is found. */
  readonly expressionsFor: (words: readonly string[]) => readonly (Expression | undefined)[];
}

interface Attempt {
  readonly query: Query;
  readonly expression: Expression;
}

function nothingFound(query: Query): Retrieved {
  const modeReason = 'This search ranks by keywords only.';
  return { query, ranked: [], mode: 'bm25', modeReason, counts: {} };
}
