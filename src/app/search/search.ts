import type { Chunk } from '../../domain/chunks/chunk.js';
import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { readPlain, readQuery, wordsOf } from '../../domain/query/query.js';
import { neighbourIds, withinBudget, withNeighbours } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { sharesNoWord } from '../../domain/search.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Request } from '../../schemas/checks.js';
import type { SearchAnswer } from '../../schemas/explanation.js';
import type { SimilarRequest } from '../../schemas/lessons.js';
import type { reflectionsRequest, SearchRequest } from '../../schemas/search.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import type { SourceSync } from '../watch/source-sync.js';
import { answerOf } from './explanation.js';
import {
  type AppOptions,
  type Asked,
  arranged,
  type RetrievalRequest,
  type Retrieve,
  retrievalRequest,
  type SearchOptions,
  supersededSources,
} from './retrieval.js';
import { RetrievalCounter, type RetrievalCounterOptions } from './retrieval-counter.js';

interface SearchDeps extends RetrievalCounterOptions {
  readonly projects: Pick<Projects, 'open'>;
  /** For queries of callers. */
  readonly retrieve: Retrieve;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly retrieveByText: Retrieve;
  readonly sync: Pick<SourceSync, 'prepareSearch' | 'searched'>;
  readonly citations: Pick<CitationJudging, 'reports'>;
  readonly metrics: Metrics;
}

/** The searches of the service. All but `similar` count retrievals, unless the options say otherwise. */
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

  /**
   * The chunks that match a query, best first, within a budget. Never fails because a model is missing or because retrievals
   * cannot be counted.
   */
  async search({ projectPath, query, ...options }: SearchRequest & AppOptions) {
    const project = await this.#deps.projects.open(projectPath);
    const asked = { ...options, text: query, query: readQuery(query) };
    const found = await this.#answer(project, this.#deps.retrieve, asked);
    const { widen, candidates } = options;
    if (!widen || candidates !== undefined || !sharesNoWord(found.explanation)) return found;
    return this.#answer(project, this.#deps.retrieve, { ...asked, candidates: 'union' });
  }

  /** Searches as `search` does, with exact words first and the same text once, and counts no retrieval. */
  explain(request: SearchRequest): Promise<SearchAnswer> {
    return this.search({
      exactWords: 'first',
      ...request,
      copies: 'hidden',
      retrievals: 'uncounted',
    });
  }

  /** Reflections and agent outputs that match a text, within 3,000 tokens. */
  async reflections({ projectPath, query, ...options }: Request<typeof reflectionsRequest>) {
    return this.searchReflections(await this.#deps.projects.open(projectPath), query, options);
  }

  /** Chunks similar to the first 20 words of a text, other than those of `sourceFile`, within 1,000,000 tokens. */
  async similar({ projectPath, text, sourceFile, ...options }: SimilarRequest) {
    const excludedSources = sourceFile === undefined ? [] : [sourceFile];
    const project = await this.#deps.projects.open(projectPath);
    return this.findSimilar(project, text, { ...options, excludedSources });
  }

  searchReflections(
    project: Project,
    text: string,
    { maxResults = REFLECTION_SEARCH_MAX_RESULTS, ...options }: SearchOptions = {},
  ): Promise<SearchAnswer> {
    return this.searchByText(project, text, {
      ...options,
      sourceTypes: ['reflection', 'agent_output'],
      maxResults,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
  }

  /** Searches with a text that is never an expression. */
  searchByText(project: Project, text: string, options: SearchOptions): Promise<SearchAnswer> {
    const asked = { ...options, text, query: readPlain(text) };
    return this.#answer(project, this.#deps.retrieveByText, asked);
  }

  findSimilar(project: Project, text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    const beginning = wordsOf(text).slice(0, SIMILAR_TEXT_WORDS).join(' ');
    return this.searchByText(project, beginning, {
      ...options,
      maxTokens: MAX_TOKENS_RANGE.max,
      retrievals: 'uncounted',
    });
  }

  /** Counts the retrievals of a search that did not. Resolves when that is done, or after 50 ms. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  async #answer(project: Project, retrieve: Retrieve, asked: Asked): Promise<SearchAnswer> {
    const { sync, citations, metrics } = this.#deps;
    const settings = await sync.prepareSearch(project);
    const hidden = asked.includeSuperseded === true ? [] : await supersededSources(project);
    const request = retrievalRequest(asked, settings, hidden);
    const retrieved = arranged(await this.#timed(project, retrieve, request), asked, request);
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

function idOf({ id }: Chunk): string {
  return id;
}
