import * as z from 'zod';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { featureId, projectPath } from '../../../schemas/fields.js';
import { lessonsRequest, similarRequest } from '../../../schemas/lesson-requests.js';
import { ratedResult, resultsOf } from '../../../schemas/results.js';
import { lessonsResponse } from '../../../schemas/search.js';
import { type Route, route } from './route.js';

/** Lessons from earlier features (`docs/api.md`, "Extensions of the hybrid variant"). */
export function lessonRoutes({ store, features }: LessonServices): readonly Route[] {
  return [lessonsRoute(features), similarRoute(store), completeFeatureRoute(features)];
}

interface LessonServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
}

const completionResponse = z.object({
  learnings: z.int().min(0).describe('Number of lessons that the model found.'),
  added: z.int().min(0).describe('Number of lessons that were written.'),
  duplicates: z.int().min(0).describe('Number of lessons that were known already.'),
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
    errors: ['not_found'],
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
      results: z.array(ratedResult).describe('The chunks that were found, best first.'),
    }),
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
    summary: 'Extracts the lessons of a finished feature into the memory categories.',
    request: z.object({ projectPath, featureId: featureId.describe('Folder of the feature.') }),
    response: completionResponse,
    errors: ['not_found', 'model_unavailable'],
    handle: async ({ projectPath, featureId }) => {
      const { lessons, ...report } = await features.completeFeature(projectPath, featureId);
      return { learnings: lessons, ...report };
    },
  });
}
