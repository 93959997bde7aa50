import { errorReason, KnowledgeError } from '../../domain/errors.js';
import type { SearchResult } from '../../domain/ranking/search.js';
import { isUserId, toUserId } from '../../domain/saved/user-note-ids.js';
import type { Logger } from '../../ports/logger.js';
import type { ReadResult, SearchAnswer } from '../../schemas/explanation.js';
import type { Projects } from '../projects/projects.js';
import type { SearchParameters } from '../search/retrieval.js';
import { type Answer, mergeAnswers, mergeReading } from './merged-answers.js';
import type { CoveredUseCases, UserNotes } from './user-notes.js';

type Search = CoveredUseCases['search'];

export interface SearchOfBothDeps {
  readonly logger: Logger;
  readonly projects: Pick<Projects, 'open'>;
}

/** Makes the searches for people and agents cover user notes; the specified searches do not. */
export function searchOfBoth(own: Search, user: UserNotes, deps: SearchOfBothDeps): Search {
  const findNotes = notesFinder(user, deps.logger);
  const countKept = createCounter(own, deps.projects);
  const ofUser = { projectPath: user.projectPath, ...UNCOUNTED };
  return {
    read: async (request) => {
      const { rewrite: _, ...asked } = request;
      const notes = await findNotes(request, (search) => search.read({ ...asked, ...ofUser }));
      if (notes === undefined) return ofProject(await own.read(request));
      const found = ofProject(await own.read({ ...request, ...UNCOUNTED }));
      return countKept(request, mergeReading(found, notes, request));
    },
    byText: async (request) => {
      const { folders: _, ...asked } = request;
      const notes = await findNotes(request, (search) => search.byText({ ...asked, ...ofUser }));
      if (notes === undefined) return ofProject(await own.byText(request));
      const found = ofProject(await own.byText({ ...request, ...UNCOUNTED }));
      return countKept(request, mergeAnswers(found, notes, request));
    },
    countRetrievals: (project, ids) => own.countRetrievals(project, ids.filter(isOfProject)),
    search: (request) => own.search(request),
    answer: (request) => own.answer(request),
    reflections: (request) => own.reflections(request),
    similar: (request) => own.similar(request),
    stop: () => own.stop(),
  };
}

const UNCOUNTED = { retrievals: 'uncounted' } as const;

const isOfProject = (id: string) => !isUserId(id);

/** Removes chunks with ids of user notes, which a database that came with the project may contain. */
function ofProject<Found extends Answer<SearchResult>>(found: Found): Found {
  return { ...found, results: found.results.filter(({ chunk }) => isOfProject(chunk.id)) };
}

/** Counts retrievals of those project results that are left after the merge. Never rejects because of that. */
function createCounter(own: Search, projects: Pick<Projects, 'open'>) {
  return async <Found extends Answer<SearchResult>>(
    { projectPath, retrievals }: Pick<SearchParameters, 'projectPath' | 'retrievals'>,
    found: Found,
  ): Promise<Found> => {
    if (retrievals === 'uncounted') return found;
    const ids = found.results.map(({ chunk }) => chunk.id).filter(isOfProject);
    const project = await projects.open(projectPath).catch(() => undefined);
    if (project !== undefined) await own.countRetrievals(project, ids);
    return found;
  };
}

/**
 * Returns a function that searches the user notes; undefined if it finds none. A failure is logged, because it must not
 * fail the search of the project. Only an invalid request is thrown.
 */
function notesFinder(user: UserNotes, logger: Logger) {
  return async <Found extends SearchAnswer>(
    asked: Places,
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

type Places = Pick<SearchParameters, 'sourceTypes' | 'paths'>;

/** False if other source types are requested, or if paths are given, because these belong to a project. */
function mayFindNotes({ sourceTypes, paths = [] }: Places): boolean {
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

function shownResult({ chunk, supersededBy }: SearchResult & Pick<ReadResult, 'supersededBy'>) {
  return {
    chunk: { ...chunk, id: toUserId(chunk.id), sourceFile: toUserId(chunk.sourceFile) },
    ...(supersededBy !== undefined && { supersededBy: toUserId(supersededBy) }),
  };
}
