import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import type { Query } from '../../domain/query/query.js';
import { preferSources } from '../../domain/ranking/preferred-sources.js';
import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import { checkArguments } from '../arguments.js';
import type { CitationChecking } from '../citations/citation-check.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';
import { citationsIn } from './found-citations.js';
import type { Retrieved, Retriever, TextChoice } from './retriever.js';
import { type AnswerView, toAnswer } from './search-answer.js';
import { supersededSources } from './superseded.js';

export interface AnsweringOptions {
  readonly settings: SettingsSource;
  readonly freshness: Pick<Freshness, 'goneAmong'>;
  /** Default: chunks cite nothing. */
  readonly citations?: CitationChecking | undefined;
}

/** A search as the service has read it. */
export interface AnswerRequest extends Omit<SearchOptions, 'sourceTypes'> {
  readonly text: string;
  readonly query: Query;
  readonly filter: ChunkFilter;
  readonly texts?: TextChoice;
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[] | undefined;
}

/**
 * Retrieves chunks and makes an answer of them, without chunks whose files are gone.
 * @throws KnowledgeError `invalid_request` for limits out of range
 */
export async function answerOf(
  ports: AnsweringOptions,
  project: Project,
  { retriever, request }: { readonly retriever: Retriever; readonly request: AnswerRequest },
): Promise<SearchAnswer> {
  const { maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = request;
  checkArguments({ maxResults, maxTokens });
  const settings = await ports.settings.read(project.path);
  const { fusion = settings.fusion, candidates = settings.candidates } = request;
  const { text, query, texts = 'all', minRelevance, preferredSources = [] } = request;
  const common = { text, query, texts, minRelevance, maxResults, fusion, candidates, settings };
  const hidden =
    request.includeSuperseded === true ? [] : await supersededSources(ports.freshness, project);
  const citations = citationsIn(project, ports.citations);
  const retrieve = async (filter: ChunkFilter) => {
    const shown = { ...common, filter: without(filter, hidden) };
    const retrieved = await retriever.retrieve(project, shown);
    const ranked = preferSources(retrieved.ranked, preferredSources);
    return citations.ordered({ ...retrieved, ranked }, settings.staleChunks);
  };

  const retrieved = await retrieve(request.filter);
  const view: AnswerView = {
    limits: { maxResults, maxTokens },
    settings,
    request: {
      minRelevance,
      choosesRanking: request.fusion !== undefined || request.candidates !== undefined,
      isFiltered: await isEmptiedByFilter(retrieved, request.filter, retrieve),
    },
  };
  const gone = await goneAmong(ports, project, toAnswer(retrieved, view));
  if (gone.length === 0) return citations.told(locatedIn(project, toAnswer(retrieved, view)));
  const others = await retrieve(without(request.filter, gone));
  const answer = await withoutGone(ports, project, { retrieved: others, view });
  return citations.told(locatedIn(project, answer));
}

/** Leaves out chunks whose files are gone; the next ones take their places. */
async function withoutGone(
  ports: AnsweringOptions,
  project: Project,
  { retrieved, view }: { readonly retrieved: Retrieved; readonly view: AnswerView },
): Promise<SearchAnswer> {
  const answer = toAnswer(retrieved, view);
  const gone = new Set(await goneAmong(ports, project, answer));
  if (gone.size === 0) return answer;
  const ranked = retrieved.ranked.filter(({ chunk }) => !gone.has(chunk.sourceFile));
  return withoutGone(ports, project, { retrieved: { ...retrieved, ranked }, view });
}

function goneAmong(
  { freshness }: AnsweringOptions,
  project: Project,
  { results }: SearchAnswer,
): Promise<readonly string[]> {
  const files = results.map(({ chunk }) => chunk.sourceFile);
  return freshness.goneAmong(project, files);
}

async function isEmptiedByFilter(
  { ranked }: Retrieved,
  { sourceTypes, tags = [], excludedSources = [] }: ChunkFilter,
  retrieve: (filter: ChunkFilter) => Promise<Retrieved>,
): Promise<boolean> {
  const isNarrow = sourceTypes !== 'all' || tags.length > 0 || excludedSources.length > 0;
  if (ranked.length > 0 || !isNarrow) return false;
  return (await retrieve({ sourceTypes: 'all' })).ranked.length > 0;
}

function without(filter: ChunkFilter, sourceFiles: readonly string[]): ChunkFilter {
  if (sourceFiles.length === 0) return filter;
  return { ...filter, excludedSources: [...(filter.excludedSources ?? []), ...sourceFiles] };
}

/** Sets the path by which the project was opened: it may have been moved since its chunks were stored. */
function locatedIn({ path, openedAs = path }: Project, answer: SearchAnswer): SearchAnswer {
  const results = answer.results.map((result) => ({
    ...result,
    chunk: { ...result.chunk, projectPath: openedAs },
  }));
  return { ...answer, results };
}
