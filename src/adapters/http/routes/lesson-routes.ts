import { z } from 'zod';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { anyText, featureId, maxResults, projectPath, text } from '../schemas/fields.js';
import { resultsOf, shortResult } from '../schemas/results.js';
import { READ_ERRORS, type Route, route, WRITE_ERRORS } from './route.js';

/** The routes for lessons from earlier features (docs/api.md, "Extensions of the hybrid variant"). */
export function lessonRoutes({ store, features }: LessonServices): readonly Route[] {
  return [lessonsRoute(features), similarRoute(store), completeFeatureRoute(features)];
}

interface LessonServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
}

const lessonsRequest = z.object({
  projectPath,
  title: text.describe('Title of the feature.'),
  description: anyText.describe('Description of the feature; may be empty.'),
  featureId: featureId
    .describe(
      "Folder of the feature: its own chunks are left out, its epic's features are a fallback.",
    )
    .exactOptional(),
  maxResults: maxResults.describe('Maximum number of results; default 5.').exactOptional(),
});

const lessonsResponse = z.object({
  section: z.string().describe('Markdown for a prompt; empty if there are no lessons.'),
  source: z
    .enum(['search', 'siblings', 'none'])
    .describe('Where the lessons come from: a search, or finished features of the same epic.'),
  results: z.array(shortResult).describe('The chunks that were found; empty for siblings.'),
});

const similarRequest = z.object({
  projectPath,
  text: text.describe('Text to compare with; its first 20 words count.'),
  sourceFile: anyText.describe('Source file whose chunks are left out.').exactOptional(),
  maxResults: maxResults.exactOptional(),
});

const completionResponse = z.object({
  learnings: z.int().min(0).describe('Number of learnings that the model found.'),
  added: z.int().min(0).describe('Number of learnings that were written.'),
  duplicates: z.int().min(0).describe('Number of learnings that were known already.'),
  categories: z.array(z.string()).describe('Memory categories that grew.'),
  compacted: z.array(z.string()).describe('Memory categories that were summarized.'),
});

function lessonsRoute(features: FeatureLifecycle): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/lessons',
    summary: 'Returns lessons from earlier features for one that is about to begin.',
    request: lessonsRequest,
    response: lessonsResponse,
    errors: [...READ_ERRORS, 'not_found'],
    handle: async ({ projectPath, ...feature }) => {
      const lessons = await features.lessonsFor(projectPath, feature);
      return { ...lessons, results: resultsOf(lessons.results) };
    },
  });
}

function similarRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/similar',
    summary: 'Finds chunks that are similar to a text. Does not count as a retrieval.',
    request: similarRequest,
    response: z.object({
      results: z.array(shortResult).describe('The chunks that were found, best first.'),
    }),
    errors: READ_ERRORS,
    handle: async ({ projectPath, text, sourceFile, maxResults }) => {
      const { results } = await store.findSimilarChunks(projectPath, text, sourceFile, maxResults);
      return { results: resultsOf(results) };
    },
  });
}

function completeFeatureRoute(features: FeatureLifecycle): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/features/complete',
    summary: 'Extracts the learnings of a finished feature into the memory categories.',
    request: z.object({ projectPath, featureId: featureId.describe('Folder of the feature.') }),
    response: completionResponse,
    errors: [...WRITE_ERRORS, 'not_found', 'model_unavailable'],
    handle: ({ projectPath, featureId }) => features.completeFeature(projectPath, featureId),
  });
}
