import * as z from 'zod';
import { distinctTexts } from '../../../domain/ranking/scored-chunk.js';
import { count, featureId, projectPath } from '../../../schemas/fields.js';
import { lessonsRequest, similarRequest } from '../../../schemas/requests.js';
import { ratedResult, resultsOf } from '../../../schemas/results.js';
import { lessonsResponse } from '../../../schemas/search.js';
import { route } from './route.js';

/** Lessons from earlier features (`docs/api.md`, "Extensions of the hybrid variant"). */
export const lessonRoutes = [
  route('POST /api/knowledge/x/lessons', {
    summary: 'Returns lessons from earlier features for one that is about to begin.',
    request: lessonsRequest,
    response: lessonsResponse,
    errors: ['not_found'],
    handle: async ({ features }, { projectPath, ...feature }) => {
      const lessons = await features.lessonsFor(projectPath, feature);
      return { ...lessons, results: resultsOf(lessons.results) };
    },
  }),
  route('POST /api/knowledge/x/similar', {
    summary: 'Finds chunks that are similar to a text. Does not count as a retrieval.',
    request: similarRequest,
    response: z.object({
      results: z.array(ratedResult).describe('The chunks that were found, best first.'),
    }),
    handle: async ({ store }, { projectPath, text, sourceFile, maxResults }) => {
      const { results } = await store.findSimilarChunks(projectPath, text, sourceFile, maxResults);
      return { results: resultsOf(distinctTexts(results)) };
    },
  }),
  route('POST /api/knowledge/x/features/complete', {
    summary: 'Extracts the lessons of a finished feature into the memory categories.',
    request: z.object({ projectPath, featureId: featureId.describe('Folder of the feature.') }),
    response: z.object({
      learnings: count('Number of lessons that the model found.'),
      added: count('Number of lessons that were written.'),
      duplicates: count('Number of lessons that were known already.'),
      categories: z.array(z.string()).describe('Memory categories that grew.'),
      compacted: z.array(z.string()).describe('Memory categories that were summarized.'),
    }),
    errors: ['not_found', 'model_unavailable'],
    handle: async ({ features }, { projectPath, featureId }) => {
      const { lessons, ...report } = await features.completeFeature(projectPath, featureId);
      return { learnings: lessons, ...report };
    },
  }),
];
