import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import type { OverviewService } from '../../../ports/driving/overview-service.js';
import { anyText, oneOf, projectPath, projectRequest, wholeText } from '../../../schemas/fields.js';
import { chunkListResponse, mapResponse, surveyResponse } from '../../../schemas/overview.js';
import { type Route, route } from './route.js';

/** What a store holds as a whole (docs/api.md, "Extensions of the hybrid variant"). */
export function overviewRoutes(overview: OverviewService): readonly Route[] {
  return [chunkListRoute(overview), surveyRoute(overview), mapRoute(overview)];
}

function surveyRoute(overview: OverviewService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/survey',
    summary: 'Counts the chunks of a project by type, size and last retrieval.',
    request: projectRequest,
    response: surveyResponse,
    handle: ({ projectPath }) => overview.surveyChunks(projectPath),
  });
}

function chunkListRoute(overview: OverviewService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/chunks',
    operationId: 'chunks',
    summary: 'Lists the chunks of a project in an order, without their texts.',
    request: z.object({
      projectPath,
      order: oneOf(FIELDS.order).describe('Default "source".').exactOptional(),
      sourceType: oneOf(FIELDS.sourceType).describe('Only chunks of this type.').exactOptional(),
      sourceFile: anyText.describe('Only chunks of this source.').exactOptional(),
      limit: wholeText(FIELDS.limit).describe('Entries of the page; default 50.').exactOptional(),
      offset: wholeText(FIELDS.offset)
        .describe('Entries before the page; default 0.')
        .exactOptional(),
    }),
    response: chunkListResponse,
    handle: ({ projectPath, ...options }) => overview.listChunks(projectPath, options),
  });
}

function mapRoute(overview: OverviewService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/map',
    summary: 'Returns chunks as points of a plane: near ones have similar meanings.',
    request: z.object({
      projectPath,
      points: wholeText(FIELDS.points)
        .describe('Size of the sample; default 1000.')
        .exactOptional(),
    }),
    response: mapResponse,
    handle: ({ projectPath, points }) => overview.mapChunks(projectPath, points),
  });
}
