import { errorReason, KnowledgeError } from '../../domain/errors.js';
import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import { isDoubtful, shownFor } from '../../domain/ranking/relevance.js';
import { isTransient, type SearchResult } from '../../domain/ranking/search.js';
import { withUserResults } from '../../domain/ranking/with-user-results.js';
import { isUserId, toUserId } from '../../domain/saved/user-note-ids.js';
import type { Logger } from '../../ports/logger.js';
import type { AnswerNote, ReadAnswer, SearchAnswer } from '../../schemas/explanation.js';
import type { Projects } from '../projects/projects.js';
import type { SearchParameters } from '../search/retrieval.js';
import type { CoveredUseCases, UserNotes } from './user-notes.js';

type Search = CoveredUseCases['search'];

/** Makes the searches for people and agents cover user notes; the specified searches do not. */
export function searchOfBoth(own: Search, user: UserNotes, deps: SearchOfBothDeps): Search {
  const ofUser = notesFinder(user, deps.logger);
  const forUser = { projectPath: user.projectPath, ...UNCOUNTED };
  /** Counts the project's results that are left after the merge. The search succeeds even if they cannot be counted. */
  const countKept = async <Found extends Answer<SearchResult>>(asked: Counted, found: Found) => {
    if (asked.retrievals === 'uncounted') return found;
    const ids = found.results.map(({ chunk }) => chunk.id).filter(isOfProject);
    const project = await deps.projects.open(asked.projectPath).catch(() => undefined);
    if (project !== undefined) await own.countRetrievals(project, ids);
    return found;
  };
  return {
    read: async (request) => {
      const { rewrite: _, ...asked } = request;
      const notes = await ofUser(request, (search) => search.read({ ...asked, ...forUser }));
      if (notes === undefined) return ofProject(await own.read(request));
      const found = ofProject(await own.read({ ...request, ...UNCOUNTED }));
      return countKept(request, mergedReading(found, notes, request));
    },
    byText: async (asked) => {
      const { folders: _, ...wanted } = asked;
      const notes = await ofUser(asked, (search) => search.byText({ ...wanted, ...forUser }));
      if (notes === undefined) return ofProject(await own.byText(asked));
      const found = ofProject(await own.byText({ ...asked, ...UNCOUNTED }));
      return countKept(asked, merged(found, notes, asked));
    },
    countRetrievals: (project, ids) => own.countRetrievals(project, ids.filter(isOfProject)),
    search: (request) => own.search(request),
    answer: (request) => own.answer(request),
    reflections: (request) => own.reflections(request),
    similar: (request) => own.similar(request),
    stop: () => own.stop(),
  };
}

export interface SearchOfBothDeps {
  readonly logger: Logger;
  readonly projects: Pick<Projects, 'open'>;
}

type Counted = Pick<SearchParameters, 'projectPath' | 'retrievals'>;

const UNCOUNTED = { retrievals: 'uncounted' } as const;

const isOfProject = (id: string) => !isUserId(id);

/** Removes chunks with ids of user notes, which a database that came with the project may contain. */
function ofProject<Found extends Answer<SearchResult>>(found: Found): Found {
  return { ...found, results: found.results.filter(({ chunk }) => isOfProject(chunk.id)) };
}

/** Never fails: user notes that cannot be searched must not fail the search of the project. */
function notesFinder(user: UserNotes, logger: Logger) {
  return async <Found extends SearchAnswer>(
    asked: Limits,
    find: (search: Search) => Promise<Found>,
  ): Promise<Found | undefined> => {
    if (!user.exist() || !mayFindNotes(asked)) return undefined;
    try {
      const found = await find(user.open().search);
      return found.results.length === 0 ? undefined : toShown(found);
    } catch (error) {
      if (error instanceof KnowledgeError && error.code === 'invalid_request') throw error;
      logger.warn('The user notes could not be searched.', { reason: errorReason(error) });
      return undefined;
    }
  };
}

type Limits = Pick<
  SearchParameters,
  'query' | 'sourceTypes' | 'paths' | 'maxResults' | 'maxTokens' | 'all' | 'minRelevance'
>;

/** False if paths are given, because these belong to a project. */
function mayFindNotes({ sourceTypes, paths = [] }: Limits): boolean {
  return paths.length === 0 && (sourceTypes?.includes('manual') ?? true);
}

function toShown<Found extends SearchAnswer>(found: Found): Found {
  const { results, explanation } = found;
  return {
    ...found,
    results: results.map((result) => ({ ...result, ...shownResult(result) })),
    explanation: {
      ...explanation,
      results: explanation.results.map((trace) => ({ ...trace, id: toUserId(trace.id) })),
    },
  };
}

interface Replaceable extends SearchResult {
  readonly supersededBy?: string;
}

function shownResult({ chunk, supersededBy }: Replaceable) {
  return {
    chunk: { ...chunk, id: toUserId(chunk.id), sourceFile: toUserId(chunk.sourceFile) },
    ...(supersededBy !== undefined && { supersededBy: toUserId(supersededBy) }),
  };
}

function mergedReading(found: ReadAnswer, notes: ReadAnswer, asked: Limits): ReadAnswer {
  const ofUser = notes.results.map((result) => ({ ...result, scope: 'user' }) as const);
  const { results, leftOut, ...rest } = merged(found, { ...notes, results: ofUser }, asked);
  return {
    ...rest,
    results,
    weak: isDoubtful(results),
    leftOut: found.leftOut + notes.leftOut + leftOut,
  };
}

type Answer<Result> = Omit<SearchAnswer, 'results'> & { readonly results: readonly Result[] };

function merged<Result extends SearchResult>(
  found: Answer<Result>,
  notes: Answer<Result>,
  asked: Limits,
) {
  const { query, maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = asked;
  const all = withUserResults(found.results, notes.results, query);
  const shown = shownFor(all, asked);
  const { kept, usedTokens, reason } = withinBudget(shown, { maxResults, maxTokens });
  const traces = [...found.explanation.results, ...notes.explanation.results];
  const { budget } = found.explanation;
  const cut = budget.cut + shown.length - kept.length;
  const isCut = reason !== 'nothing cut';
  return {
    results: kept,
    retrievalMode: found.retrievalMode === 'bm25' ? notes.retrievalMode : found.retrievalMode,
    totalTokens: usedTokens,
    leftOut: all.length - shown.length,
    explanation: {
      ...found.explanation,
      results: kept.flatMap(({ chunk }) => traces.filter(({ id }) => id === chunk.id)),
      budget: { ...budget, usedTokens, cut, ...(isCut && { reason }) },
      notes: remarksOn(found.explanation.notes, notes.explanation.notes, kept),
    },
  };
}

/** Merges remarks; those about an empty answer do not apply if user notes were found. */
function remarksOn(
  own: readonly AnswerNote[],
  ofUser: readonly AnswerNote[],
  results: readonly SearchResult[],
): readonly AnswerNote[] {
  const doubt = [...own, ...ofUser].find(({ code }) => code === 'not_relevant');
  const others = own.filter(({ code }) => !OF_EMPTY.has(code) && code !== 'not_relevant');
  const mayBeMissing = others.some(isTransient);
  return isDoubtful(results) && doubt !== undefined && !mayBeMissing ? [doubt, ...others] : others;
}

const OF_EMPTY: ReadonlySet<AnswerNote['code']> = new Set([
  'budget',
  'irrelevant',
  'no_match',
  'never_indexed',
]);
