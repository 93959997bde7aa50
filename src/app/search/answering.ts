import type { Chunk } from '../../domain/chunks/chunk.js';
import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import { preferSources, type ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { supersededBy } from '../../domain/saved/supersession.js';
import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { CitationChecking } from '../citations/citation-check.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';
import { toAnswer } from './answer.js';
import { inContext } from './context.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

export interface AnsweringOptions {
  readonly settings: SettingsSource;
  readonly freshness: Pick<Freshness, 'goneAmong'>;
  readonly citations: CitationChecking;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** What to search for, and how; what is left out has the default of the service or of the project's settings. */
export interface Ask
  extends Omit<SearchOptions, 'sourceTypes' | 'tags' | 'retrievals'>,
    Pick<RetrievalRequest, 'text' | 'query' | 'filter' | 'texts'> {
  readonly retriever: Retriever;
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[] | undefined;
}

/**
 * The way of every search: retrieves chunks in the order that the caller and the settings want, without those whose files
 * were replaced or are gone, makes an answer of them, and adds what has become of the files that they cite.
 */
export async function answerOf(
  ports: AnsweringOptions,
  project: Project,
  ask: Ask,
): Promise<SearchAnswer> {
  const { retriever, preferredSources = [], includeSuperseded, context, ...asked } = ask;
  const { maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = asked;
  const settings = await ports.settings.read(project.path);
  const { fusion = settings.fusion, candidates = settings.candidates } = asked;
  const request = { ...asked, maxResults, maxTokens, fusion, candidates, settings };
  const search = { ports, project, retriever, preferredSources, request };
  const hidden = includeSuperseded === true ? [] : await supersededSources(ports, project);
  const retrieved = await retrievePresent(search, hidden);
  const answer = toAnswer(retrieved, {
    request,
    projectPath: project.openedAs ?? project.path,
    choosesRanking: asked.fusion !== undefined || asked.candidates !== undefined,
    isFiltered: await isEmptiedByFilter(search, retrieved, hidden),
  });
  const shown = context === true ? await inContext(answer, findableIn(search)) : answer;
  return withCitations(search, shown);
}

/** One search under way. */
interface SearchRun {
  readonly ports: AnsweringOptions;
  readonly project: Project;
  readonly retriever: Retriever;
  readonly preferredSources: readonly string[];
  readonly request: RetrievalRequest;
}

/** The source files that another one replaces, without those whose replacement is gone since. */
async function supersededSources(
  { freshness }: AnsweringOptions,
  project: Project,
): Promise<readonly string[]> {
  const links = await project.store.chunks.supersessions();
  if (links.length === 0) return [];
  const newer = links.map(({ sourceFile }) => sourceFile);
  const gone = new Set(await freshness.goneAmong(project, newer));
  return [...supersededBy(links.filter(({ sourceFile }) => !gone.has(sourceFile))).keys()];
}

/** Where the files of results are gone, the next ones take their places. */
async function retrievePresent(search: SearchRun, hidden: readonly string[]): Promise<Retrieved> {
  const { ports, project, request } = search;
  const retrieved = await retrieve(search, without(request.filter, hidden));
  const { kept } = withinBudget(retrieved.ranked, request);
  const files = kept.map(({ chunk }) => chunk.sourceFile);
  const gone = await ports.freshness.goneAmong(project, files);
  return gone.length === 0 ? retrieved : retrievePresent(search, [...hidden, ...gone]);
}

async function isEmptiedByFilter(
  search: SearchRun,
  { ranked }: Retrieved,
  hidden: readonly string[],
): Promise<boolean> {
  const { sourceTypes, tags = [], excludedSources = [] } = search.request.filter;
  const isNarrow = sourceTypes !== 'all' || tags.length > 0 || excludedSources.length > 0;
  if (ranked.length > 0 || !isNarrow) return false;
  return (await retrieve(search, without({ sourceTypes: 'all' }, hidden))).ranked.length > 0;
}

/** Reads chunks of sources that were found, without those that the tags or the settings leave out. */
function findableIn({ ports, project, request }: SearchRun) {
  return async (ids: readonly string[]): Promise<readonly Chunk[]> => {
    const { tags = [] } = request.filter;
    const found = await project.store.chunks.getChunks(ids);
    const tagged = found.filter((chunk) => tags.every((tag) => chunk.tags?.includes(tag)));
    if (request.settings.staleChunks === 'show') return tagged;
    const reports = await ports.citations.reports(project, ids);
    return tagged.filter(({ id }) => reports.get(id)?.stale !== true);
  };
}

/** Retrieves chunks, preferred sources first, stale chunks where the settings want them. */
async function retrieve(search: SearchRun, filter: ChunkFilter): Promise<Retrieved> {
  const { preferredSources, request } = search;
  const retrieved = await timedRetrieval(search, filter);
  const ranked = preferSources(retrieved.ranked, preferredSources);
  const { staleChunks } = request.settings;
  if (staleChunks === 'show') return { ...retrieved, ranked };
  const reports = await search.ports.citations.reports(search.project, idsOf(ranked));
  const isStale = ({ chunk }: ScoredChunk) => reports.get(chunk.id)?.stale === true;
  const holding = ranked.filter((scored) => !isStale(scored));
  const stale = staleChunks === 'last' ? ranked.filter(isStale) : [];
  const shown = [...holding, ...stale];
  return { ...retrieved, ranked: shown, hiddenStale: ranked.length - shown.length };
}

async function timedRetrieval(search: SearchRun, filter: ChunkFilter): Promise<Retrieved> {
  const { clock, metrics } = search.ports;
  const begin = clock.monotonic();
  const retrieved = await search.retriever.retrieve(search.project, { ...search.request, filter });
  const seconds = (clock.monotonic() - begin) / 1000;
  metrics.searched({ mode: retrieved.mode, seconds, candidates: retrieved.ranked.length });
  return retrieved;
}

async function withCitations(
  { ports, project }: SearchRun,
  answer: SearchAnswer,
): Promise<SearchAnswer> {
  const reports = await ports.citations.reports(project, idsOf(answer.results));
  if (reports.size === 0) return answer;
  const { explanation } = answer;
  return {
    ...answer,
    results: answer.results.map((result) => ({ ...result, ...reports.get(result.chunk.id) })),
    explanation: {
      ...explanation,
      results: explanation.results.map((trace) => ({ ...trace, ...reports.get(trace.id) })),
    },
  };
}

function without(filter: ChunkFilter, sourceFiles: readonly string[]): ChunkFilter {
  if (sourceFiles.length === 0) return filter;
  return { ...filter, excludedSources: [...(filter.excludedSources ?? []), ...sourceFiles] };
}

function idsOf(items: readonly { readonly chunk: { readonly id: string } }[]): readonly string[] {
  return items.map(({ chunk }) => chunk.id);
}
