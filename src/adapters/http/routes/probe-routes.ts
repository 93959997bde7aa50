import { z } from 'zod';
import type { ConcurrencyLimit } from '../server/concurrency-limit.js';
import { type Route, route } from './route.js';

/** The one path that is served without a token. */
export const HEALTH_PATH = '/health';

/** Answers as long as the process does, and touches nothing. */
export const healthRoute: Route = route({
  method: 'GET',
  path: HEALTH_PATH,
  summary: 'Says that the process is alive.',
  request: z.object({}),
  answer: () => ({ status: 'ok' }),
});

/** Answers 503 from the moment the server begins to stop. */
export function readyRoute({
  variant,
  gate,
}: {
  readonly variant: string;
  readonly gate: ConcurrencyLimit;
}): Route {
  return route({
    method: 'GET',
    path: '/ready',
    summary: 'Says that the service takes requests, and which variant it is.',
    request: z.object({}),
    answer: () => {
      gate.assertOpen();
      return { status: 'ready', variant };
    },
  });
}
