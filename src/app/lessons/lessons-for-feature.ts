import type { SourceType } from '../../domain/chunks/chunk.js';
import { cutToFit } from '../../domain/chunks/cutting.js';
import { type Feature, finishedSiblings } from '../../domain/lessons/feature.js';
import { lessonsSection, type SectionEntry } from '../../domain/lessons/lessons-section.js';
import { mergeLessons } from '../../domain/lessons/merged-lessons.js';
import {
  CHARACTERS_PER_BUDGET_TOKEN,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
} from '../../domain/limits.js';
import { exactWords } from '../../domain/query/exact-words.js';
import { addWords, readPlain, usedAlso } from '../../domain/query/query.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import { isDoubtful, relevantAmong } from '../../domain/ranking/relevance.js';
import type { SearchResult } from '../../domain/ranking/search.js';
import { estimateTokens, tokenCost } from '../../domain/text.js';
import type { BodyOf } from '../../schemas/checks.js';
import type { LessonsRequest, lessonsResponse } from '../../schemas/lessons.js';
import type { Project } from '../project.js';
import type { Projects } from '../projects/projects.js';
import type { Search } from '../search/search.js';
import { FeatureFolder, type FeatureFolderOptions } from './feature-folder.js';

interface LessonsDeps extends FeatureFolderOptions {
  readonly projects: Pick<Projects, 'open'>;
  readonly search: Pick<Search, 'byText' | 'countRetrievals'>;
}

/** Lessons from earlier features for an upcoming one. */
export interface FoundLessons extends Omit<BodyOf<typeof lessonsResponse>, 'results'> {
  /** The results of the search; empty for `siblings`. */
  readonly results: readonly SearchResult[];
}

/**
 * Finds lessons of earlier features for the agent of a feature that enters EXECUTE. Lessons of the features on which it
 * depends come first (docs/specification.md, "Lessons and features": lead engineer).
 */
export class LessonsForFeature {
  readonly #deps: LessonsDeps;
  readonly #folder: FeatureFolder;

  constructor(deps: LessonsDeps) {
    this.#deps = deps;
    this.#folder = new FeatureFolder(deps);
  }

  /**
   * Counts as a retrieval, unless the request says otherwise.
   * @throws KnowledgeError `not_found` for an unknown `featureId`
   */
  async find(upcoming: LessonsRequest): Promise<FoundLessons> {
    const project = await this.#deps.projects.open(upcoming.projectPath);
    const folder = this.#folder;
    const { featureId } = upcoming;
    const feature =
      featureId === undefined ? undefined : await folder.requireFeature(project, featureId);
    const found = await this.#search(project, upcoming, feature);
    if (found.results.length > 0)
      return { section: formatSection(found), source: 'search', ...found };
    const section = lessonsSection(await readSiblings(folder, project, feature));
    return { section, source: section === '' ? 'none' : 'siblings', ...found };
  }

  /** Finds lessons of features and saved notes. */
  async #search(
    project: Project,
    upcoming: LessonsRequest,
    feature: Feature | undefined,
  ): Promise<Ranked> {
    const { search } = this.#deps;
    const { title, description = '', maxResults = REFLECTION_SEARCH_MAX_RESULTS } = upcoming;
    const { also = '' } = upcoming;
    const query = `${title}\n${description}`;
    const budget = { maxResults, maxTokens: REFLECTION_SEARCH_MAX_TOKENS };
    const listSources = (ids: readonly string[]) =>
      ids.flatMap((id) => this.#folder.ownSources(project, id));
    const preferredSources = listSources(feature?.dependencies ?? []);
    const excludedSources = listSources(feature === undefined ? [] : [feature.id]);
    const common = { ...FOUND, projectPath: upcoming.projectPath, query, also };
    const ofFeatures = { maxResults, excludedSources, preferredSources };
    const reflections = await search.byText({
      ...common,
      ...budget,
      ...ofFeatures,
      sourceTypes: REFLECTIONS_ONLY,
    });
    const folders = this.#folder.savedFolders(project);
    const saved = await search.byText({ ...common, ...budget, folders });
    const merged = mergeLessons([...reflections.results, ...saved.results], {
      query: addWords(readPlain(query), usedAlso(also)),
      exactWords: exactWords(query),
      preferredSources,
    });
    const relevant = relevantResults(merged, upcoming.minRelevance);
    const leftOut = merged.length - relevant.length;
    const rest = leftOut > 0 && { leftOut };
    const { kept } = withinBudget(relevant, budget);
    const results = fitting({ results: kept, ...rest }, upcoming.maxTokens);
    const ids = results.map(({ chunk }) => chunk.id);
    if (upcoming.counted !== false) await search.countRetrievals(project, ids);
    return { results, ...rest };
  }
}

type Ranked = Pick<FoundLessons, 'results' | 'leftOut'>;

/** Keeps all results if no vectors were compared, because their relevance is then unknown. */
function relevantResults<Result extends SearchResult>(
  results: readonly Result[],
  minRelevance = 0,
): readonly Result[] {
  const relevant = relevantAmong(results, ({ relevance }) => relevance);
  return relevant.filter(({ relevance = minRelevance }) => relevance >= minRelevance);
}

/** Drops the last results until the section fits into `maxTokens`. */
function fitting(
  { results, ...rest }: Ranked,
  maxTokens = Number.POSITIVE_INFINITY,
): readonly SearchResult[] {
  const section = formatSection({ results, ...rest });
  const cost = Math.max(tokenCost(section), estimateTokens(section));
  return cost <= maxTokens
    ? results
    : fitting({ results: results.slice(0, -1), ...rest }, maxTokens);
}

function formatSection({ results, ...rest }: Ranked): string {
  const entries = results.map(({ chunk, citations = [] }) => ({ ...chunk, citations }));
  return lessonsSection(entries, { isDoubtful: isDoubtful(results), ...rest });
}

const FOUND = { profile: 'reading', all: true, retrievals: 'uncounted' } as const;

/** The types that `searchReflections` finds. */
const REFLECTIONS_ONLY: SourceType[] = ['reflection', 'agent_output'];

/** The fallback: reflections of finished features of the same epic. */
async function readSiblings(
  folder: FeatureFolder,
  project: Project,
  feature: Feature | undefined,
): Promise<readonly SectionEntry[]> {
  if (feature?.epicId === undefined) return [];
  const found: { readonly chunk: SectionEntry }[] = [];
  for (const { id } of finishedSiblings(feature, await folder.allFeatures(project))) {
    const content = await folder.reflection(project, id);
    const sourceFile = folder.reflectionFile(project, id);
    if (content.trim() !== '') found.push({ chunk: toEntry(id, sourceFile, content) });
    if (found.length === SIBLINGS_MAX) break;
  }
  const budget = { maxResults: SIBLINGS_MAX, maxTokens: REFLECTION_SEARCH_MAX_TOKENS };
  return withinBudget(found, budget).kept.map(({ chunk }) => chunk);
}

function toEntry(id: string, sourceFile: string, content: string): SectionEntry {
  return {
    heading: `Reflection: ${id}`,
    sourceType: 'reflection',
    sourceFile,
    content: cutToFit(content, WHOLE_BUDGET)[0] ?? '',
  };
}

/** How many of the last finished features to use (docs/specification.md, "Lessons and features"). */
const SIBLINGS_MAX = 3;

/** A reflection that alone exceeds the budget is cut rather than left out. */
const WHOLE_BUDGET = {
  words: Number.POSITIVE_INFINITY,
  characters: REFLECTION_SEARCH_MAX_TOKENS * CHARACTERS_PER_BUDGET_TOKEN,
};
