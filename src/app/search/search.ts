import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { type Query, readPlain, readQuery, splitWords } from '../../domain/query/query.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { FoundChunks } from '../../domain/ranking/search.js';
import { noteName } from '../../domain/saved/note-names.js';
import type { Metrics } from '../../ports/metrics.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { ReadAnswer, SearchAnswer } from '../../schemas/explanation.js';
import type { SimilarRequest } from '../../schemas/lessons.js';
import type { SearchRequest } from '../../schemas/search.js';
import type { Project } from '../project.js';
import type { Projects } from '../projects/projects.js';
import { byCitations, withoutWeak } from './arrangement.js';
import { findBesideSessions, type SearchTask } from './beside-sessions.js';
import { explain } from './explanation.js';
import { chunkFilter, replacedSources, sourcesMeant } from './filters.js';
import {
  type DescriptionDeps,
  describeResults,
  foundChunks,
  isWeak,
  type SearchFindings,
} from './findings.js';
import { type OtherWordsDeps, rewrittenNote, searchInOtherWords } from './other-words.js';
import {
  type ReadParameters,
  type RetrievalRequest,
  type Retrieve,
  retrievalRequest,
  type SearchOptions,
  type SearchParameters,
} from './retrieval.js';
import { RetrievalCounter, type RetrievalCounterOptions } from './retrieval-counter.js';

interface SearchDeps extends RetrievalCounterOptions, OtherWordsDeps, DescriptionDeps {
  readonly projects: Pick<Projects, 'open'>;
  /** Used for queries of callers. */
  readonly retrieve: Retrieve;
  /** Used for searches with a whole text: lessons and similar chunks. */
  readonly retrieveByText: Retrieve;
  readonly appDirs: Pick<AppDirectories, 'of'>;
  readonly files: Pick<ProjectFileReader, 'readText' | 'statOf'>;
  readonly metrics: Metrics;
}

/** The searches of the service. All except `similar` count retrievals, unless the options say otherwise. */
export class Search {
  readonly #deps: SearchDeps;
  readonly #counter: RetrievalCounter;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    this.#counter = new RetrievalCounter(deps);
  }

  /** Keeps trying to count retrievals that wait for a lock, for up to 2 s. Call it before closing the stores. */
  stop(): Promise<void> {
    return this.#counter.stop();
  }

  /**
   * Finds the chunks that match a query, best first, within a budget, as specified. Never fails because a model is
   * missing or retrievals cannot be counted.
   */
  async search(request: OwnSearch): Promise<FoundChunks> {
    return foundChunks(await this.#search({ ...request, profile: 'specified' }));
  }

  /** Like `search`, but with the citations of the results and an explanation. */
  async answer(request: OwnSearch): Promise<SearchAnswer> {
    const asked = { ...request, profile: 'specified', relevance: 'wanted' } as const;
    return this.#explained(await this.#search(asked));
  }

  /** The search for people and agents: the best measured ranking, no duplicate text, no weak results. */
  async read(request: ReadParameters): Promise<ReadAnswer> {
    const search = (asked: ReadParameters) => this.#search({ ...asked, profile: 'reading' });
    const count = ({ project, budgeted }: SearchFindings) =>
      this.countRetrievals(project, keptIds(budgeted));
    const { found, words } = await searchInOtherWords(request, { ...this.#deps, search, count });
    const answer = await this.#explained(found);
    const { explanation } = answer;
    const notes = [...explanation.notes, ...(words === undefined ? [] : [rewrittenNote(words)])];
    const newer = request.includeSuperseded ? await replacedSources(found.project) : undefined;
    return {
      ...answer,
      explanation: { ...explanation, notes },
      results: answer.results.map((result) => {
        const by = newer?.get(result.chunk.sourceFile);
        return { ...result, scope: 'project', ...(by && { supersededBy: noteName(by) }) };
      }),
      weak: isWeak(found),
      leftOut: found.arranged.leftOut,
    };
  }

  /** Reflections and agent outputs that match a text, within 3,000 tokens. */
  reflections({ maxResults = REFLECTION_SEARCH_MAX_RESULTS, ...request }: OwnSearch) {
    return this.byText({
      ...request,
      profile: 'specified',
      sourceTypes: ['reflection', 'agent_output'],
      maxResults,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
  }

  /** Finds chunks like the first 20 words of a text, except those of `sourceFile` and of the file it links to. */
  async similar({ projectPath, text, sourceFile, ...options }: SimilarRequest) {
    const project = await this.#deps.projects.open(projectPath);
    return this.byText({
      ...options,
      projectPath,
      profile: 'specified',
      query: splitWords(text).slice(0, SIMILAR_TEXT_WORDS).join(' '),
      excludedSources: await sourcesMeant(this.#deps.files, project, sourceFile),
      maxTokens: MAX_TOKENS_RANGE.max,
      retrievals: 'uncounted',
    });
  }

  /** Like `answer`, in either profile, but never reads the text as an expression. */
  async byText(asked: SearchParameters): Promise<SearchAnswer> {
    const { retrieveByText } = this.#deps;
    const wanted = { ...asked, relevance: 'wanted' } as const;
    return this.#explained(await this.#find(retrieveByText, wanted, readPlain(asked.query)));
  }

  /** Counts the retrievals of an uncounted search, waiting at most 50 ms. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  #search(asked: SearchParameters): Promise<SearchFindings> {
    return this.#find(this.#deps.retrieve, asked, readQuery(asked.query));
  }

  async #find(retrieve: Retrieve, asked: SearchParameters, query: Query): Promise<SearchFindings> {
    const { projects, clock, metrics } = this.#deps;
    const project = await projects.open(asked.projectPath);
    const settings = await project.prepareSearch();
    const filter = await chunkFilter(project, asked, clock.now());
    const request = retrievalRequest(asked, { query, settings, filter });
    const { retrieved, all, seconds } = await this.#timed(project, { asked, request, retrieve });
    const reports = await this.#staleReports(project, all.ranked, request);
    const ranked = byCitations(all.ranked, reports, settings);
    const arranged = withoutWeak({ ...all, ranked }, asked);
    const budgeted = withinBudget(arranged.ranked, request);
    const kept = keptIds(budgeted);
    const indexing = await project.beginIndexing(asked.neverIndexed);
    const counts = { candidates: retrieved.ranked.length, results: kept.length };
    metrics.searched({ mode: retrieved.mode, seconds, ...counts });
    if (asked.retrievals !== 'uncounted') await this.#counter.count(project, kept);
    return {
      project,
      request,
      retrieved,
      reports,
      arranged,
      budgeted,
      indexing,
      projectPath: asked.projectPath,
      hiddenStale: all.ranked.length - ranked.length,
    };
  }

  async #timed(project: Project, task: SearchTask) {
    const { appDirs, clock } = this.#deps;
    const begin = clock.monotonic();
    const found = await findBesideSessions(project, appDirs.of(project.path), task);
    return { ...found, seconds: (clock.monotonic() - begin) / 1000 };
  }

  async #explained(findings: SearchFindings): Promise<SearchAnswer> {
    const found = foundChunks(findings);
    const results = await describeResults(this.#deps, findings, found.results);
    return { ...found, results, explanation: await explain(findings, results) };
  }

  /** Citation reports for moving or hiding stale chunks; undefined if these stay in place. */
  async #staleReports(project: Project, ranked: readonly ScoredChunk[], request: RetrievalRequest) {
    const { profile, settings } = request;
    if (profile === 'specified' || settings.staleChunks === 'show') return undefined;
    const ids = ranked.map(({ chunk }) => chunk.id);
    return this.#deps.citations.reports(project, ids);
  }
}

function keptIds({ kept }: SearchFindings['budgeted']): readonly string[] {
  return kept.map(({ chunk }) => chunk.id);
}

type OwnSearch = Omit<SearchRequest, 'explain'> & SearchOptions;
