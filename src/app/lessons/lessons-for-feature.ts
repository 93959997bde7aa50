import { cutToFit } from '../../domain/chunks/cutting.js';
import { type Feature, finishedSiblings } from '../../domain/lessons/feature.js';
import { lessonsSection, type SectionEntry } from '../../domain/lessons/lessons-section.js';
import {
  CHARACTERS_PER_BUDGET_TOKEN,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
} from '../../domain/limits.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import type { FoundLessons, UpcomingFeature } from '../../ports/driving/feature-lifecycle.js';
import type { Project } from '../projects/project.js';
import type { Search } from '../search/search.js';
import type { FeatureFolder } from './feature-folder.js';

export interface LessonsForFeatureParts {
  readonly searches: Search;
  readonly folder: FeatureFolder;
}

/**
 * Finds the lessons of earlier features for the agent of one that enters EXECUTE
 * (docs/specification.md, "Lessons and features", where it is called the lead engineer).
 */
export class LessonsForFeature {
  readonly #parts: LessonsForFeatureParts;

  constructor(parts: LessonsForFeatureParts) {
    this.#parts = parts;
  }

  async lessonsFor(project: Project, upcoming: UpcomingFeature): Promise<FoundLessons> {
    const { searches, folder } = this.#parts;
    const {
      title,
      description = '',
      featureId,
      maxResults = REFLECTION_SEARCH_MAX_RESULTS,
    } = upcoming;
    const feature =
      featureId === undefined ? undefined : await folder.requireFeature(project, featureId);
    const { results } = await searches.searchReflections(project, `${title}\n${description}`, {
      maxResults,
      excludedSources: featureId === undefined ? [] : folder.ownSources(project, featureId),
    });
    if (results.length > 0) {
      return {
        section: lessonsSection(results.map(({ chunk }) => chunk)),
        source: 'search',
        results,
      };
    }
    const section = lessonsSection(await this.#siblings(project, feature));
    return { section, source: section === '' ? 'none' : 'siblings', results };
  }

  /** The fallback: reflections of finished features of the same epic. */
  async #siblings(
    project: Project,
    feature: Feature | undefined,
  ): Promise<readonly SectionEntry[]> {
    if (feature?.epicId === undefined) return [];
    const siblings = finishedSiblings(feature, await this.#parts.folder.allFeatures(project));
    const found: { readonly chunk: SectionEntry }[] = [];
    for (const { id } of siblings) {
      const content = await this.#parts.folder.reflection(project, id);
      if (content.trim() !== '') found.push({ chunk: this.#entryOf(project, id, content) });
      if (found.length === SIBLINGS_MAX) break;
    }
    const budget = { maxResults: SIBLINGS_MAX, maxTokens: REFLECTION_SEARCH_MAX_TOKENS };
    return withinBudget(found, budget).kept.map(({ chunk }) => chunk);
  }

  #entryOf(project: Project, id: string, content: string): SectionEntry {
    return {
      heading: `Reflection: ${id}`,
      sourceType: 'reflection',
      sourceFile: this.#parts.folder.reflectionFile(project, id),
      content: cutToFit(content, WHOLE_BUDGET)[0] ?? '',
    };
  }
}

/** The features that finished last (docs/specification.md, "Lessons and features"). */
const SIBLINGS_MAX = 3;

/** A reflection that exceeds the budget by itself is cut rather than left out. */
const WHOLE_BUDGET = {
  words: Number.POSITIVE_INFINITY,
  characters: REFLECTION_SEARCH_MAX_TOKENS * CHARACTERS_PER_BUDGET_TOKEN,
};
