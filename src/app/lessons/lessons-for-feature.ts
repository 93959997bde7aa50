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

export interface LessonsOptions {
  readonly searches: Search;
  readonly folder: FeatureFolder;
}

/**
 * Finds the lessons of earlier features for the agent of one that enters EXECUTE; those of the features that it builds on
 * come first (docs/specification.md, "Lessons and features", where it is called the lead engineer).
 */
export async function lessonsForFeature(
  ports: LessonsOptions,
  project: Project,
  upcoming: UpcomingFeature,
): Promise<FoundLessons> {
  const { searches, folder } = ports;
  const { title, description = '', featureId } = upcoming;
  const feature =
    featureId === undefined ? undefined : await folder.requireFeature(project, featureId);
  const { results } = await searches.searchReflections(project, `${title}\n${description}`, {
    copies: 'hidden',
    maxResults: upcoming.maxResults ?? REFLECTION_SEARCH_MAX_RESULTS,
    excludedSources: featureId === undefined ? [] : folder.ownSources(project, featureId),
    preferredSources: (feature?.dependencies ?? []).flatMap((id) => folder.ownSources(project, id)),
  });
  if (results.length > 0) {
    const section = lessonsSection(results.map(({ chunk }) => chunk));
    return { section, source: 'search', results };
  }
  const section = lessonsSection(await siblingsOf(folder, project, feature));
  return { section, source: section === '' ? 'none' : 'siblings', results };
}

/** The fallback: reflections of finished features of the same epic. */
async function siblingsOf(
  folder: FeatureFolder,
  project: Project,
  feature: Feature | undefined,
): Promise<readonly SectionEntry[]> {
  if (feature?.epicId === undefined) return [];
  const found: { readonly chunk: SectionEntry }[] = [];
  for (const { id } of finishedSiblings(feature, await folder.allFeatures(project))) {
    const content = await folder.reflection(project, id);
    const sourceFile = folder.reflectionFile(project, id);
    if (content.trim() !== '') found.push({ chunk: entryOf(id, sourceFile, content) });
    if (found.length === SIBLINGS_MAX) break;
  }
  const budget = { maxResults: SIBLINGS_MAX, maxTokens: REFLECTION_SEARCH_MAX_TOKENS };
  return withinBudget(found, budget).kept.map(({ chunk }) => chunk);
}

function entryOf(id: string, sourceFile: string, content: string): SectionEntry {
  return {
    heading: `Reflection: ${id}`,
    sourceType: 'reflection',
    sourceFile,
    content: cutToFit(content, WHOLE_BUDGET)[0] ?? '',
  };
}

/** The features that finished last (docs/specification.md, "Lessons and features"). */
const SIBLINGS_MAX = 3;

/** A reflection that exceeds the budget by itself is cut rather than left out. */
const WHOLE_BUDGET = {
  words: Number.POSITIVE_INFINITY,
  characters: REFLECTION_SEARCH_MAX_TOKENS * CHARACTERS_PER_BUDGET_TOKEN,
};
