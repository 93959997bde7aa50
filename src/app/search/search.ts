import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { type Query, readPlain, readQuery, wordsOf } from '../../domain/query/query.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { FoundChunks } from '../../domain/search.js';
import type { Metrics } from '../../ports/metrics.js';
import type { SearchAnswer } from '../../schemas/explanation.js';
import type { SimilarRequest } from '../../schemas/lessons.js';
import type { SearchRequest } from '../../schemas/search.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import type { SourceSync } from '../watch/source-sync.js';
import { explanationOf } from './explanation.js';
import {
  type AskedSearch,
  arranged,
  foundChunks,
  matchesNothing,
  type RetrievalRequest,
  type Retrieve,
  retrievalRequest,
  type SearchFindings,
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
  async search(request: AskedSearch): Promise<FoundChunks> {
    return foundChunks(await this.#search(request));
  }

  /** Searches as `search` does, and says what the results cite and how they were found. */
  async answer(request: AskedSearch): Promise<SearchAnswer> {
    return this.#explained(await this.#search(request));
  }

  /** Answers with exact words first and the same text once, and counts no retrieval. */
  explain(request: SearchRequest): Promise<SearchAnswer> {
    return this.answer({
      exactWords: 'first',
      ...request,
      copies: 'hidden',
      retrievals: 'uncounted',
    });
  }

  /** Reflections and agent outputs that match a text, within 3,000 tokens. */
  reflections({ maxResults = REFLECTION_SEARCH_MAX_RESULTS, ...request }: AskedSearch) {
    return this.byText({
      ...request,
      sourceTypes: ['reflection', 'agent_output'],
      maxResults,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
  }

  /** Chunks similar to the first 20 words of a text, other than those of `sourceFile`, within 1,000,000 tokens. */
  similar({ projectPath, text, sourceFile, ...options }: SimilarRequest) {
    return this.byText({
      ...options,
      projectPath,
      query: wordsOf(text).slice(0, SIMILAR_TEXT_WORDS).join(' '),
      excludedSources: sourceFile === undefined ? [] : [sourceFile],
      maxTokens: MAX_TOKENS_RANGE.max,
      retrievals: 'uncounted',
    });
  }

  /** As `answer`, with a text that is never an expression. */
  async byText(asked: AskedSearch): Promise<SearchAnswer> {
    const { retrieveByText } = this.#deps;
    return this.#explained(await this.#find(retrieveByText, asked, readPlain(asked.query)));
  }

  /** Counts the retrievals of a search that did not. Resolves when that is done, or after 50 ms. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  async #search(asked: AskedSearch): Promise<SearchFindings> {
    const { retrieve } = this.#deps;
    const query = readQuery(asked.query);
    const found = await this.#find(retrieve, asked, query);
    const isWidened = asked.widen && asked.candidates === undefined && matchesNothing(found);
    return isWidened ? this.#find(retrieve, { ...asked, candidates: 'union' }, query) : found;
  }

  async #find(retrieve: Retrieve, asked: AskedSearch, query: Query): Promise<SearchFindings> {
    const { projects, sync, clock, metrics } = this.#deps;
    const project = await projects.open(asked.projectPath);
    const settings = await sync.prepareSearch(project);
    const hidden = asked.includeSuperseded === true ? [] : await supersededSources(project);
    const request = retrievalRequest(asked, { query, settings, hidden });
    const begin = clock.monotonic();
    const found = await retrieve(project, request);
    const seconds = (clock.monotonic() - begin) / 1000;
    const retrieved = arranged(found, asked, request);
    const ranked = await this.#byCitations(project, retrieved.ranked, request);
    const budgeted = withinBudget(ranked, request);
    const kept = budgeted.kept.map(({ chunk }) => chunk.id);
    const indexing = await sync.searched(project, asked.neverIndexed);
    const counts = { candidates: found.ranked.length, results: kept.length };
    metrics.searched({ mode: found.mode, seconds, ...counts });
    if (asked.retrievals !== 'uncounted') await this.#counter.count(project, kept);
    return {
      ...{ project, request, budgeted, indexing },
      retrieved: { ...retrieved, ranked },
      hiddenStale: retrieved.ranked.length - ranked.length,
    };
  }

  async #explained(findings: SearchFindings): Promise<SearchAnswer> {
    const found = foundChunks(findings);
    const ids = found.results.map(({ chunk }) => chunk.id);
    const citations = await this.#deps.citations.reports(findings.project, ids);
    const results = found.results.map((one) => ({ ...one, ...citations.get(one.chunk.id) }));
    return { ...found, results, explanation: explanationOf(findings, results) };
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
}
