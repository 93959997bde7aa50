import { errorReason, KnowledgeError } from '../../domain/errors.js';
import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import {
  mergeResults,
  type ProjectResult,
  type ProjectResults,
} from '../../domain/ranking/merged-results.js';
import { shownFor } from '../../domain/ranking/relevance.js';
import type { BodyOf, Request } from '../../schemas/checks.js';
import type { projectsRequest, projectsResponse } from '../../schemas/search.js';
import type { Projects } from '../projects/projects.js';
import type { ReadParameters } from './retrieval.js';
import type { Search } from './search.js';

interface ProjectsSearchDeps {
  readonly projects: Pick<Projects, 'open'>;
  readonly search: Pick<Search, 'read' | 'countRetrievals'>;
}

type ProjectsRequest = Request<typeof projectsRequest>;

export interface FoundInProjects extends Omit<BodyOf<typeof projectsResponse>, 'results'> {
  /** Most relevant first. */
  readonly results: readonly ProjectResult[];
}

type SkippedProject = FoundInProjects['skipped'][number];

/** Searches several projects in parallel, and merges the results. */
export class ProjectsSearch {
  readonly #deps: ProjectsSearchDeps;

  constructor(deps: ProjectsSearchDeps) {
    this.#deps = deps;
  }

  /**
   * Finds the chunks that match a query, most relevant first, within one budget and without duplicate texts. A project
   * that cannot be searched is skipped and reported.
   */
  async search({ projectPaths, ...request }: ProjectsRequest): Promise<FoundInProjects> {
    const { maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = request;
    const searching = [...new Set(projectPaths)].map((projectPath) =>
      this.#searchOne({ ...request, all: true, retrievals: 'uncounted', projectPath }),
    );
    const found = await Promise.all(searching);
    const merged = mergeResults(found.flatMap((one) => ('results' in one ? one : [])));
    const { kept, usedTokens } = withinBudget(shownFor(merged, request), { maxResults, maxTokens });
    await this.#count(kept);
    const skipped = found.flatMap((one) => ('reason' in one ? one : []));
    return { results: kept, totalTokens: usedTokens, skipped };
  }

  /** Searches one project. @throws KnowledgeError `invalid_request`, because that is not a fault of the project */
  async #searchOne(request: ReadParameters): Promise<ProjectResults | SkippedProject> {
    const { projectPath } = request;
    try {
      return { projectPath, results: (await this.#deps.search.read(request)).results };
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code === 'invalid_request') throw error;
      return { projectPath, reason: errorReason(error) };
    }
  }

  /** Counts the retrievals. Never rejects: a search must not fail because retrievals cannot be counted. */
  async #count(results: readonly ProjectResult[]): Promise<void> {
    const ids = new Map<string, string[]>();
    for (const { projectPath, chunk } of results) {
      ids.set(projectPath, [...(ids.get(projectPath) ?? []), chunk.id]);
    }
    const { projects, search } = this.#deps;
    const counting = [...ids].map(async ([projectPath, own]) =>
      search.countRetrievals(await projects.open(projectPath), own),
    );
    await Promise.allSettled(counting);
  }
}
