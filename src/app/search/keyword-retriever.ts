import { KEYWORD_CANDIDATES } from '../../domain/limits.js';
import type { Expression } from '../../domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  type PlainQuery,
  type Query,
} from '../../domain/query/query.js';
import { distinctTexts } from '../../domain/ranking/distinct-texts.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { CandidateCounts } from '../../domain/search.js';
import type { Project } from '../projects/project.js';
import type { RetrievalRequest, Retrieved, Retriever, TextChoice } from './retriever.js';

/** A strategy that finds chunks for the words of a plain query. */
export type PlainReading = (
  words: readonly string[],
  search: KeywordSearch,
  limit: number,
) => Promise<KeywordList>;

/** Chunks found by keyword, best first. */
export interface KeywordList {
  readonly hits: readonly ScoredChunk[];
  readonly counts: CandidateCounts;
}

type KeywordSearch = (expression: Expression | undefined) => Promise<readonly ScoredChunk[]>;

/** Ranks by BM25 only. */
export class KeywordRetriever implements Retriever {
  readonly #readPlain: PlainReading;
  readonly #collect: Collection;
  readonly #limitOf: (request: RetrievalRequest) => number;

  private constructor({ readPlain, collect, limitOf }: Strategy) {
    this.#readPlain = readPlain;
    this.#collect = collect;
    this.#limitOf = limitOf;
  }

  /**
   * Up to `maxResults` chunks with all of the words; if there are none, with any (docs/specification.md, "Query
   * syntax").
   */
  static forResults(): KeywordRetriever {
    return new KeywordRetriever({
      readPlain: allOrElseAny,
      collect: { all: allHits, distinct: allHits },
      limitOf: ({ maxResults }) => maxResults,
    });
  }

  /**
   * Up to 50 chunks, with different texts if the request says so: those with all of the words, then those
   * with any (docs/specification.md, "Query syntax").
   */
  static forCandidates(): KeywordRetriever {
    return new KeywordRetriever({
      readPlain: allFilledUpWithAny,
      collect: { all: allHits, distinct: distinctHits },
      limitOf: () => KEYWORD_CANDIDATES,
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

  async #find(project: Project, request: RetrievalRequest): Promise<FoundList> {
    const { query } = request;
    const limit = this.#limitOf(request);
    const search: KeywordSearch = async (expression) =>
      expression === undefined
        ? []
        : this.#collect[request.texts ?? 'all'](limit, (most) =>
            project.store.keywords.search(expression, request.filter, most),
          );
    const findPlain = async (plain: PlainQuery) => ({
      query: plain,
      ...(await this.#readPlain(plain.words, search, limit)),
    });
    if (query.kind === 'plain') return findPlain(query);
    const hits = await search(query.expression);
    const structured = { query, hits, counts: { structured: hits.length } };
    if (hits.length > 0 || query.plainFallback === undefined) return structured;
    const plain = await findPlain(query.plainFallback);
    return { ...plain, counts: { ...structured.counts, ...plain.counts } };
  }
}

/** Collects at most `limit` hits of a search that returns at most as many as it is asked for. */
type Collect = (
  limit: number,
  find: (most: number) => Promise<readonly ScoredChunk[]>,
) => Promise<readonly ScoredChunk[]>;

type Collection = Readonly<Record<TextChoice, Collect>>;

interface Strategy {
  readonly readPlain: PlainReading;
  readonly collect: Collection;
  readonly limitOf: (request: RetrievalRequest) => number;
}

const allHits: Collect = (limit, find) => find(limit);

/** The best hits with different texts. Where copies take the places of others, more hits are looked for. */
const distinctHits: Collect = async (limit, find) => {
  for (let most = limit; ; most *= 4) {
    const hits = await find(most);
    const distinct = distinctTexts(hits);
    const isAll = hits.length < most || limit <= distinct.length || HITS_MAX <= most;
    if (isAll) return distinct.slice(0, limit);
  }
};

/** Beyond that, copies are so many that fewer results are no loss. */
const HITS_MAX = 4000;

interface FoundList extends KeywordList {
  /** The query that found the list: the one requested, or its plain fallback. */
  readonly query: Query;
}

const allOrElseAny: PlainReading = async (words, search) => {
  const all = await search(allWords(words));
  if (all.length > 0) return { hits: all, counts: { allWords: all.length, anyWord: 0 } };
  const any = await search(anyInformativeWord(words));
  return { hits: any, counts: { allWords: 0, anyWord: any.length } };
};

const allFilledUpWithAny: PlainReading = async (words, search, limit) => {
  const all = await search(allWords(words));
  const any = all.length < limit ? await search(anyInformativeWord(words)) : [];
  const found = new Set(all.map(({ chunk }) => chunk.id));
  const filling = any.filter(({ chunk }) => !found.has(chunk.id)).slice(0, limit - all.length);
  return {
    hits: [...all, ...filling],
    counts: { allWords: all.length, anyWord: filling.length },
  };
};
