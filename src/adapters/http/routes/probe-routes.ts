import * as z from 'zod';
import { modelStatus } from '../../../schemas/status.js';
import type { Monitor } from '../server/monitor.js';
import type { RequestLimit } from '../server/request-limit.js';
import type { Page } from './register-routes.js';
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
  handle: () => ({ status: 'ok' as const }),
});

/** Responds with 503 as soon as the server begins to stop, and while the server of the store does not answer. */
export function readyRoute({ variant, requestLimit, monitor }: ReadyOptions): Route {
  return route({
    method: 'GET',
    path: '/ready',
    summary: 'Reports that the service takes requests, its variant, its open stores and its model.',
    request: z.object({}),
    response: z.object({
      status: z.literal('ready').describe('Always "ready".'),
      variant: z.string().describe('"hybrid" or "search-only".'),
      stores: z
        .object({
          open: z.int().min(0).describe('Number of stores in use; the schema of each is right.'),
        })
        .describe('The stores of the projects that are in use.'),
      model: modelStatus,
    }),
    errors: ['store_unavailable', 'overloaded'],
    handle: async () => {
      requestLimit.assertOpen();
      return { status: 'ready' as const, variant, ...(await monitor.readiness()) };
    },
  });
}

interface ReadyOptions {
  readonly variant: string;
  readonly requestLimit: RequestLimit;
  readonly monitor: Pick<Monitor, 'readiness'>;
}

/** What the service has counted since its start, for Prometheus. */
export function metricsPage({ monitor, requestLimit }: MetricsOptions): Page {
  return {
    path: '/metrics',
    type: 'text',
    documentation: {
      summary: 'Returns what the service has counted since its start, for Prometheus.',
      description: 'Text format of Prometheus; docs/operations.md lists the metrics.',
    },
    read: () => monitor.metrics({ requestsInProgress: requestLimit.inFlight }),
  };
}

interface MetricsOptions {
  readonly monitor: Pick<Monitor, 'metrics'>;
  readonly requestLimit: RequestLimit;
}
