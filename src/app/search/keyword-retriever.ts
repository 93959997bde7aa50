import { KEYWORD_CANDIDATES } from '../../domain/limits.js';
import type { Expression } from '../../domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  isOneWord,
  type PlainQuery,
  type Query,
} from '../../domain/query/query.js';
import { distinctTexts, type ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { CandidateCounts } from '../../domain/search.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

/** Ranks by BM25 only. */
export class KeywordRetriever implements Retriever {
  readonly #strategy: Strategy;

  private constructor(strategy: Strategy) {
    this.#strategy = strategy;
  }

  /**
   * Up to `maxResults` chunks with all of the words; if there are none, with any (docs/specification.md, "Query
   * syntax").
   */
  static forResults(): KeywordRetriever {
    return new KeywordRetriever({
      limitOf: ({ maxResults }) => maxResults,
      missingAfter: (all, limit) => (all === 0 ? limit : 0),
      copies: 'kept',
    });
  }

  /**
   * Up to 50 chunks, with different texts if the request says so: those with all of the words, then those
   * with any (docs/specification.md, "Query syntax").
   */
  static forCandidates(): KeywordRetriever {
    return new KeywordRetriever({
      limitOf: () => KEYWORD_CANDIDATES,
      missingAfter: (all, limit) => limit - all,
      copies: 'as requested',
    });
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const { query, hits, counts } = await this.#find(project, request);
    return {
      query,
      ranked: hits.map((hit, index) => ({ ...hit, keywordRank: index + 1 })),
      mode: 'bm25',
      modeReason: 'This search ranks by keywords only.',
      counts,
    };
  }

  async #find({ store }: Project, request: RetrievalRequest): Promise<Found> {
    const { query, filter, texts } = request;
    const limit = this.#strategy.limitOf(request);
    const isDistinct = texts === 'distinct' && this.#strategy.copies === 'as requested';
    const search: KeywordSearch = async (expression) => {
      if (expression === undefined) return [];
      const find = (most: number) => store.keywords.search(expression, filter, most);
      return isDistinct ? distinctHits(find, limit) : find(limit);
    };
    if (query.kind === 'plain') return this.#findPlain(query, search, limit);
    const hits = await search(query.expression);
    const structured = { query, hits, counts: { structured: hits.length } };
    if (hits.length > 0 || query.plainFallback === undefined) return structured;
    const plain = await this.#findPlain(query.plainFallback, search, limit);
    return { ...plain, counts: { ...structured.counts, ...plain.counts } };
  }

  async #findPlain(query: PlainQuery, search: KeywordSearch, limit: number): Promise<Found> {
    const { words } = query;
    const all = await search(allWords(words));
    const missing = isOneWord(words) ? 0 : this.#strategy.missingAfter(all.length, limit);
    const any = missing > 0 ? await search(anyInformativeWord(words)) : [];
    const found = new Set(all.map(({ chunk }) => chunk.id));
    const filling = any.filter(({ chunk }) => !found.has(chunk.id)).slice(0, missing);
    return {
      query,
      hits: [...all, ...filling],
      counts: { allWords: all.length, anyWord: filling.length },
    };
  }
}

interface Strategy {
  readonly limitOf: (request: RetrievalRequest) => number;
  /** How many chunks with any of the words are added to so many chunks with all of them. */
  readonly missingAfter: (all: number, limit: number) => number;
  /** Whether chunks with the same text are left out where the request asks for distinct texts. */
  readonly copies: 'kept' | 'as requested';
}

type KeywordSearch = (expression: Expression | undefined) => Promise<readonly ScoredChunk[]>;

/** Chunks found by keyword, best first. */
interface Found {
  /** The query that found them: the one requested, or its plain fallback. */
  readonly query: Query;
  readonly hits: readonly ScoredChunk[];
  readonly counts: CandidateCounts;
}

/** The best hits with different texts. Where copies take the places of others, more hits are looked for. */
async function distinctHits(
  find: (most: number) => Promise<readonly ScoredChunk[]>,
  limit: number,
): Promise<readonly ScoredChunk[]> {
  for (let most = limit; ; most *= 4) {
    const hits = await find(most);
    const distinct = distinctTexts(hits);
    const isAll = hits.length < most || limit <= distinct.length || HITS_MAX <= most;
    if (isAll) return distinct.slice(0, limit);
  }
}

/** Beyond that, copies are so many that fewer results are no loss. */
const HITS_MAX = 4000;
