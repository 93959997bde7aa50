import { distinctTexts } from '../../../domain/ranking/scored-chunk.js';
import {
  completeRequest,
  completeResponse,
  lessonsRequest,
  lessonsResponse,
  similarRequest,
  similarResponse,
} from '../../../schemas/lessons.js';
import { resultsOf } from '../../../schemas/results.js';
import { route } from './route.js';

/** Lessons from earlier features (`docs/api.md`, "Extensions of the hybrid variant"). */
export const lessonRoutes = [
  route('POST /api/knowledge/x/lessons', {
    summary: 'Returns lessons from earlier features for one that is about to begin.',
    request: lessonsRequest,
    response: lessonsResponse,
    errors: ['not_found'],
    handle: async ({ lessons }, request) => {
      const found = await lessons.find(request);
      return { ...found, results: resultsOf(found.results) };
    },
  }),
  route('POST /api/knowledge/x/similar', {
    summary: 'Finds chunks that are similar to a text. Does not count as a retrieval.',
    request: similarRequest,
    response: similarResponse,
    handle: async ({ search }, request) => {
      const { results } = await search.similar(request);
      return { results: resultsOf(distinctTexts(results)) };
    },
  }),
  route('POST /api/knowledge/x/features/complete', {
    summary: 'Extracts the lessons of a finished feature into the memory categories.',
    request: completeRequest,
    response: completeResponse,
    errors: ['not_found', 'model_unavailable'],
    handle: async ({ completion }, request) => {
      const { lessons, ...report } = await completion.complete(request);
      return { learnings: lessons, ...report };
    },
  }),
];
