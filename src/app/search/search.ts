import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { readPlain, readQuery } from '../../domain/query/query.js';
import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import { invalidRequest } from '../arguments.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';
import { INDEXING_NOTE } from './answer-notes.js';
import { type AnsweringOptions, type Ask, answerOf } from './answering.js';
import { RetrievalCounter, type RetrievalCounterOptions } from './retrieval-counter.js';
import type { Retriever } from './retriever.js';

interface SearchPorts extends RetrievalCounterOptions, AnsweringOptions {
  /** For queries of callers. */
  readonly retriever: Retriever;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly textRetriever: Retriever;
  readonly freshness: Pick<Freshness, 'searched' | 'goneAmong'>;
}

/**
 * The searches of the service. Each retrieves chunks and applies the budget; all but `findSimilar` count
 * retrievals, unless the caller asks `search` not to.
 */
export class Search {
  readonly #options: SearchPorts;
  readonly #counter: RetrievalCounter;

  constructor(options: SearchPorts) {
    this.#options = options;
    this.#counter = new RetrievalCounter(options);
  }

  /** Counts the retrievals that wait for a lock, for up to 2 s. Call it before the stores are closed. */
  stop(): Promise<void> {
    return this.#counter.stop();
  }

  async search(project: Project, text: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    if (text.trim() === '') throw invalidRequest('query must not be blank.');
    const { sourceTypes = 'all', tags = [], retrievals, ...rest } = options;
    const answer = await this.#answer(project, {
      ...rest,
      retriever: this.#options.retriever,
      text,
      query: readQuery(text),
      filter: { sourceTypes, tags },
      texts: 'distinct',
    });
    if (retrievals !== 'uncounted') await this.#count(project, answer);
    return this.#withIndexing(project, answer);
  }

  /** Counts the retrievals of a search that did not. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  async searchReflections(
    project: Project,
    text: string,
    { maxResults, excludedSources = [], preferredSources }: LessonOptions = {},
  ): Promise<SearchAnswer> {
    const answer = await this.#answer(project, {
      retriever: this.#options.textRetriever,
      text,
      query: readPlain(text),
      filter: { sourceTypes: ['reflection', 'agent_output'], excludedSources },
      preferredSources,
      maxResults: maxResults ?? REFLECTION_SEARCH_MAX_RESULTS,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
    await this.#count(project, answer);
    return this.#withIndexing(project, answer);
  }

  async findSimilar(
    project: Project,
    text: string,
    { sourceFile, maxResults }: SimilarityOptions = {},
  ): Promise<SearchAnswer> {
    const beginning = text.trim().split(/\s+/).slice(0, SIMILAR_TEXT_WORDS).join(' ');
    return this.#answer(project, {
      retriever: this.#options.textRetriever,
      text: beginning,
      query: readPlain(beginning),
      filter: {
        sourceTypes: 'all',
        ...(sourceFile !== undefined && { excludedSources: [sourceFile] }),
      },
      ...(maxResults !== undefined && { maxResults }),
      maxTokens: MAX_TOKENS_RANGE.max,
    });
  }

  async #answer(project: Project, ask: Ask): Promise<SearchAnswer> {
    const answer = await answerOf(this.#options, project, ask);
    const { retrievalMode: mode, results } = answer;
    this.#options.metrics.answered({ mode, results: results.length });
    return answer;
  }

  #count(project: Project, { results }: SearchAnswer): Promise<void> {
    const ids = results.map(({ chunk }) => chunk.id);
    return this.countRetrievals(project, ids);
  }

  /** Says in the answer if the first indexing of the project is under way. */
  async #withIndexing(project: Project, answer: SearchAnswer): Promise<SearchAnswer> {
    const indexing = await this.#options.freshness.searched(project);
    if (indexing === undefined) return answer;
    const { explanation } = answer;
    const notes = [...explanation.notes, INDEXING_NOTE];
    return {
      ...answer,
      ...(indexing === 'started' && { indexing }),
      explanation: { ...explanation, notes, indexing },
    };
  }
}

interface SimilarityOptions {
  /** Chunks of this source file are left out. */
  readonly sourceFile?: string | undefined;
  readonly maxResults?: number | undefined;
}

interface LessonOptions {
  readonly maxResults?: number | undefined;
  /** Chunks of these source files are left out. */
  readonly excludedSources?: readonly string[];
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[];
}
