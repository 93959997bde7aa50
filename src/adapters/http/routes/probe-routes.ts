import { z } from 'zod';
import type { ConcurrencyLimit } from '../server/concurrency-limit.js';
import { type Route, route } from './route.js';

/** The one path that is served without a token. */
export const HEALTH_PATH = '/health';

/** Responds as long as the process runs; uses no store. */
export const healthRoute: Route = route({
  method: 'GET',
  path: HEALTH_PATH,
  summary: 'Reports that the process is alive.',
  request: z.object({}),
  response: z.object({ status: z.literal('ok').describe('Always "ok".') }),
  errors: [],
  handle: () => ({ status: 'ok' as const }),
});

/** Responds with 503 as soon as the server begins to stop. */
export function readyRoute({
  variant,
  requestLimit,
}: {
  readonly variant: string;
  readonly requestLimit: ConcurrencyLimit;
}): Route {
  return route({
    method: 'GET',
    path: '/ready',
    summary: 'Reports that the service takes requests, and which variant it is.',
    request: z.object({}),
    response: z.object({
      status: z.literal('ready').describe('Always "ready".'),
      variant: z.string().describe('"hybrid" or "search-only".'),
    }),
    errors: ['store_unavailable'],
    handle: () => {
      requestLimit.assertOpen();
      return { status: 'ready' as const, variant };
    },
  });
}
