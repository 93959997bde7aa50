import {
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { readPlain, readQuery } from '../../domain/query/query.js';
import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import { invalidRequest } from '../arguments.js';
import type { CitationChecking } from '../citations/citation-check.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';
import { INDEXING_NOTE } from './answer-notes.js';
import { type AnswerRequest, answerOf } from './answering.js';
import { RetrievalCounter } from './retrieval-counter.js';
import type { Retriever } from './retriever.js';

export interface SearchPorts {
  /** For queries of callers. */
  readonly retriever: Retriever;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly textRetriever: Retriever;
  readonly settings: SettingsSource;
  readonly freshness: Pick<Freshness, 'searched' | 'goneAmong'>;
  /** Default: chunks cite nothing. */
  readonly citations?: CitationChecking | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each answer. */
  readonly onAnswer?: (answer: SearchAnswer) => void;
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
    const request = {
      text,
      query: readQuery(text),
      filter: { sourceTypes: options.sourceTypes ?? 'all', tags: options.tags ?? [] },
      texts: 'distinct' as const,
    };
    const answer = await this.#answer(project, this.#options.retriever, { ...request, ...options });
    if (options.retrievals !== 'uncounted') await this.#count(project, answer);
    return this.#withIndexing(project, answer);
  }

  /** Counts the retrievals of a search that did not. */
  countRetrievals(project: Project, chunkIds: readonly string[]): Promise<void> {
    return this.#counter.count(project, chunkIds);
  }

  async searchReflections(
    project: Project,
    text: string,
    options: LessonOptions = {},
  ): Promise<SearchAnswer> {
    const { maxResults = REFLECTION_SEARCH_MAX_RESULTS, excludedSources = [] } = options;
    const answer = await this.#answer(project, this.#options.textRetriever, {
      text,
      query: readPlain(text),
      filter: { sourceTypes: ['reflection', 'agent_output'], excludedSources },
      preferredSources: options.preferredSources,
      maxResults,
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
    return this.#answer(project, this.#options.textRetriever, {
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

  async #answer(
    project: Project,
    retriever: Retriever,
    request: AnswerRequest,
  ): Promise<SearchAnswer> {
    const answer = await answerOf(this.#options, project, { retriever, request });
    this.#options.onAnswer?.(answer);
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

export interface SimilarityOptions {
  /** Chunks of this source file are left out. */
  readonly sourceFile?: string | undefined;
  readonly maxResults?: number | undefined;
}

export interface LessonOptions {
  readonly maxResults?: number | undefined;
  /** Chunks of these source files are left out. */
  readonly excludedSources?: readonly string[];
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[];
}
