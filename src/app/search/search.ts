import type { Chunk } from '../../domain/chunks/chunk.js';
import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { readPlain, readQuery, wordsOf } from '../../domain/query/query.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import { neighbourIds, withNeighbours } from '../../domain/ranking/context.js';
import { relevanceTo, relevantAmong } from '../../domain/ranking/relevance.js';
import {
  distinctTexts,
  preferSources,
  type ScoredChunk,
} from '../../domain/ranking/scored-chunk.js';
import { supersededBy } from '../../domain/saved/supersession.js';
import type { SearchAnswer, SearchRequest } from '../../domain/search.js';
import type { Metrics } from '../../ports/metrics.js';
import { invalidRequest } from '../arguments.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../projects/project.js';
import type { SourceSync } from '../watch/source-sync.js';
import { answerOf } from './explanation.js';
import {
  type Asked,
  type RetrievalRequest,
  type Retrieve,
  type Retrieved,
  retrievalRequest,
} from './retrieval.js';
import { RetrievalCounter, type RetrievalCounterOptions } from './retrieval-counter.js';

interface SearchDeps extends RetrievalCounterOptions {
  /** For queries of callers. */
  readonly retrieve: Retrieve;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly retrieveByText: Retrieve;
  readonly sync: Pick<SourceSync, 'prepareSearch' | 'searched'>;
  readonly citations: Pick<CitationJudging, 'reports'>;
  readonly metrics: Metrics;
}

/** The searches of the service. All but `findSimilar` count retrievals, unless the request says otherwise. */
export class Search {
  readonly #deps: SearchDeps;
  readonly #counter: RetrievalCounter;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    this.#counter = new RetrievalCounter(deps);
  }

  /** Counts the retrievals that wait for a lock, for up to 2 s. Call it before the stores are closed. */
  stop(): Promise<void> {
    return this.#counter.stop();
  }

  async search(project: Project, text: string, request: SearchRequest = {}): Promise<SearchAnswer> {
    if (text.trim() === '') throw invalidRequest('query must not be blank.');
    const asked = { ...request, text, query: readQuery(text) };
    return this.#answer(project, this.#deps.retrieve, asked);
  }

  searchReflections(
    project: Project,
    text: string,
    { maxResults = REFLECTION_SEARCH_MAX_RESULTS, ...request }: SearchRequest = {},
  ): Promise<SearchAnswer> {
    return this.searchByText(project, text, {
      ...request,
      sourceTypes: ['reflection', 'agent_output'],
      maxResults,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
  }

  /** Searches with a text that is never an expression. */
  searchByText(project: Project, text: string, request: SearchRequest): Promise<SearchAnswer> {
    const asked = { ...request, text, query: readPlain(text) };
    return this.#answer(project, this.#deps.retrieveByText, asked);
  }

  findSimilar(project: Project, text: string, request: SearchRequest = {}): Promise<SearchAnswer> {
    const beginning = wordsOf(text).slice(0, SIMILAR_TEXT_WORDS).join(' ');
    return this.#answer(project, this.#deps.retrieveByText, {
      ...request,
      text: beginning,
      query: readPlain(beginning),
      maxTokens: MAX_TOKENS_RANGE.max,
      retrievals: 'uncounted',
    });
  }

  /** Counts the retrievals of a search that did not. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  async #answer(project: Project, retrieve: Retrieve, asked: Asked): Promise<SearchAnswer> {
    const { sync, citations, metrics } = this.#deps;
    const settings = await sync.prepareSearch(project);
    const hidden = asked.includeSuperseded === true ? [] : await supersededSources(project);
    const request = retrievalRequest(asked, settings, hidden);
    const retrieved = arranged(await this.#timed(project, retrieve, request), asked);
    const { ranked } = retrieved;
    const holding = await this.#byCitations(project, ranked, request);
    const budgeted = withinBudget(holding, request);
    const kept = budgeted.kept.map(({ chunk }) => chunk);
    const shown = asked.context === true ? await this.#joined(project, kept, request) : kept;
    const projectPath = project.openedAs ?? project.path;
    const answer = answerOf({
      request,
      retrieved: { ...retrieved, ranked: holding },
      hiddenStale: ranked.length - holding.length,
      budgeted,
      shown: shown.map((chunk) => ({ ...chunk, projectPath })),
      citations: await citations.reports(project, kept.map(idOf)),
      indexing: await sync.searched(project, asked.neverIndexed),
    });
    metrics.answered({ mode: answer.retrievalMode, results: kept.length });
    if (asked.retrievals !== 'uncounted') await this.#counter.count(project, kept.map(idOf));
    return answer;
  }

  async #timed(project: Project, retrieve: Retrieve, request: RetrievalRequest) {
    const { clock, metrics } = this.#deps;
    const begin = clock.monotonic();
    const retrieved = await retrieve(project, request);
    const seconds = (clock.monotonic() - begin) / 1000;
    metrics.searched({ mode: retrieved.mode, seconds, candidates: retrieved.ranked.length });
    return retrieved;
  }

  /** Moves or leaves out the chunks that cite what has changed or is gone, as the settings want. */
  async #byCitations(
    project: Project,
    ranked: readonly ScoredChunk[],
    { settings: { staleChunks } }: RetrievalRequest,
  ): Promise<readonly ScoredChunk[]> {
    if (staleChunks === 'show') return ranked;
    const ids = ranked.map(({ chunk }) => chunk.id);
    const reports = await this.#deps.citations.reports(project, ids);
    const isStale = ({ chunk }: ScoredChunk) => reports.get(chunk.id)?.stale === true;
    const holding = ranked.filter((scored) => !isStale(scored));
    return staleChunks === 'hide' ? holding : [...holding, ...ranked.filter(isStale)];
  }

  /** The chunks with their neighbours, as far as the budget allows; without those that the search would not find. */
  async #joined(
    project: Project,
    chunks: readonly Chunk[],
    request: RetrievalRequest,
  ): Promise<readonly Chunk[]> {
    const { tags = [] } = request.filter;
    const found = await project.store.chunks.getChunks([...new Set(chunks.flatMap(neighbourIds))]);
    const tagged = found.filter((chunk) => tags.every((tag) => chunk.tags?.includes(tag)));
    const scored = tagged.map((chunk) => ({ chunk, score: 0 }));
    const findable = await this.#byCitations(project, scored, request);
    const neighbours = findable.map(({ chunk }) => chunk);
    return withNeighbours(chunks, neighbours, request.maxTokens);
  }
}

/** Without copies and what is irrelevant, and with preferred sources first, where the caller wants that. */
function arranged(
  retrieved: Retrieved,
  { copies, irrelevant, preferredSources = [] }: SearchRequest,
): Retrieved {
  const { query, mode, counts } = retrieved;
  const distinct = copies === 'hidden' ? distinctTexts(retrieved.ranked) : retrieved.ranked;
  const isCut = irrelevant === 'hidden' && mode === 'hybrid';
  const relevant = isCut ? relevantAmong(distinct, relevanceTo(query)) : distinct;
  const belowRelevance = (counts.belowRelevance ?? 0) + distinct.length - relevant.length;
  return {
    ...retrieved,
    ranked: preferredSources.length === 0 ? relevant : preferSources(relevant, preferredSources),
    counts: belowRelevance === 0 ? counts : { ...counts, belowRelevance },
  };
}

/** The source files that another one replaces. */
async function supersededSources({ store }: Project): Promise<readonly string[]> {
  const links = await store.chunks.supersessions();
  return links.length === 0 ? [] : [...supersededBy(links).keys()];
}

function idOf({ id }: Chunk): string {
  return id;
}
