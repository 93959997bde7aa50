import {
  DEFAULT_MAX_RESULTS,
  DEFAULT_MAX_TOKENS,
  MAX_TOKENS_RANGE,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  SIMILAR_TEXT_WORDS,
} from '../../domain/limits.js';
import { type Query, readPlain, readQuery } from '../../domain/query/query.js';
import type { Budget } from '../../domain/ranking/budget.js';
import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import { checkArguments, invalidRequest } from '../arguments.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';
import { RetrievalCounter } from './retrieval-counter.js';
import type { Retrieved, Retriever, TextChoice } from './retriever.js';
import { toAnswer } from './search-answer.js';

export interface SearchPorts {
  /** For queries of callers. */
  readonly retriever: Retriever;
  /** For searches with a whole text: lessons and similar chunks. */
  readonly textRetriever: Retriever;
  readonly settings: SettingsSource;
  readonly freshness: Pick<Freshness, 'searched' | 'goneAmong'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each answer. */
  readonly onAnswer?: (answer: SearchAnswer) => void;
}

/**
 * The searches of the service. Each retrieves chunks and applies the budget; all but `findSimilar` count
 * retrievals.
 */
export class Search {
  readonly #ports: SearchPorts;
  readonly #counter: RetrievalCounter;

  constructor(ports: SearchPorts) {
    this.#ports = ports;
    this.#counter = new RetrievalCounter(ports);
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
    const answer = await this.#answer(project, this.#ports.retriever, { ...request, ...options });
    return this.#withIndexingNote(project, await this.#counted(project, answer));
  }

  async searchReflections(
    project: Project,
    text: string,
    options: LessonOptions = {},
  ): Promise<SearchAnswer> {
    const { maxResults = REFLECTION_SEARCH_MAX_RESULTS, excludedSources = [] } = options;
    const answer = await this.#answer(project, this.#ports.textRetriever, {
      text,
      query: readPlain(text),
      filter: { sourceTypes: ['reflection', 'agent_output'], excludedSources },
      maxResults,
      maxTokens: REFLECTION_SEARCH_MAX_TOKENS,
    });
    return this.#withIndexingNote(project, await this.#counted(project, answer));
  }

  async findSimilar(
    project: Project,
    text: string,
    { sourceFile, maxResults }: SimilarityOptions = {},
  ): Promise<SearchAnswer> {
    const beginning = text.trim().split(/\s+/).slice(0, SIMILAR_TEXT_WORDS).join(' ');
    return this.#answer(project, this.#ports.textRetriever, {
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

  async #answer(project: Project, retriever: Retriever, request: Request): Promise<SearchAnswer> {
    const answer = await this.#presentAnswer(project, retriever, request);
    this.#ports.onAnswer?.(answer);
    return locatedIn(project, answer);
  }

  /** An answer without chunks whose files are gone. */
  async #presentAnswer(
    project: Project,
    retriever: Retriever,
    request: Request,
  ): Promise<SearchAnswer> {
    const { maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = request;
    checkArguments({ maxResults, maxTokens });
    const settings = await this.#ports.settings.read(project.path);
    const retrieve = (filter: ChunkFilter) =>
      retriever.retrieve(project, {
        query: request.query,
        text: request.text,
        filter,
        texts: request.texts ?? 'all',
        maxResults,
        fusion: request.fusion ?? settings.fusion,
        candidates: request.candidates ?? settings.candidates,
        settings,
      });
    const limits = { maxResults, maxTokens };
    const answer = toAnswer(await retrieve(request.filter), limits);
    const gone = await this.#missingFilesOf(project, answer);
    if (gone.length === 0) return answer;
    const present = await retrieve(without(request.filter, gone));
    return this.#withoutMissing(project, present, limits);
  }

  /** Leaves out chunks whose files are gone; the next ones take their places. */
  async #withoutMissing(
    project: Project,
    retrieved: Retrieved,
    limits: Budget,
  ): Promise<SearchAnswer> {
    const answer = toAnswer(retrieved, limits);
    const gone = new Set(await this.#missingFilesOf(project, answer));
    if (gone.size === 0) return answer;
    const ranked = retrieved.ranked.filter(({ chunk }) => !gone.has(chunk.sourceFile));
    return this.#withoutMissing(project, { ...retrieved, ranked }, limits);
  }

  #missingFilesOf(project: Project, { results }: SearchAnswer): Promise<readonly string[]> {
    const files = results.map(({ chunk }) => chunk.sourceFile);
    return this.#ports.freshness.goneAmong(project, files);
  }

  /** Says in the answer if this search starts the first indexing of its project. */
  async #withIndexingNote(project: Project, answer: SearchAnswer): Promise<SearchAnswer> {
    if (!(await this.#ports.freshness.searched(project))) return answer;
    const indexing = 'started' as const;
    return { ...answer, indexing, explanation: { ...answer.explanation, indexing } };
  }

  async #counted(project: Project, answer: SearchAnswer): Promise<SearchAnswer> {
    await this.#counter.count(
      project,
      answer.results.map(({ chunk }) => chunk.id),
    );
    return answer;
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
}

interface Request extends Omit<SearchOptions, 'sourceTypes'> {
  readonly text: string;
  readonly query: Query;
  readonly filter: ChunkFilter;
  readonly texts?: TextChoice;
}

/** Sets the path by which the project was opened: it may have been moved since its chunks were stored. */
function locatedIn({ path, openedAs = path }: Project, answer: SearchAnswer): SearchAnswer {
  const results = answer.results.map(({ chunk, score }) => ({
    chunk: { ...chunk, projectPath: openedAs },
    score,
  }));
  return { ...answer, results };
}

function without(filter: ChunkFilter, sourceFiles: readonly string[]): ChunkFilter {
  return { ...filter, excludedSources: [...(filter.excludedSources ?? []), ...sourceFiles] };
}
