import * as z from 'zod';
import { type Route, route } from '../../../app/routes/route.js';
import { count } from '../../../schemas/fields.js';
import { modelStatus } from '../../../schemas/stats.js';
import type { Monitor } from './monitor.js';
import type { Page } from './register-routes.js';
import type { RequestLimit } from './request-limit.js';

const WITH_TOKEN = 'Absent without the token of the service.';

/** Routes for monitors. */
export function probeRoutes(state: ServerState): readonly Route[] {
  return [healthRoute.servedBy(state), readyRoute.servedBy(state)];
}

/** Responds as long as the process runs; uses no store. */
const healthRoute = route('GET /health', {
  summary: 'Reports that the process is alive.',
  request: z.object({}),
  response: z.object({ status: z.literal('ok').describe('Always "ok".') }),
  openKeys: ['status'],
  handle: (_: unknown) => ({ status: 'ok' as const }),
});

/** Responds with 503 once the server begins to stop, and while the database server does not respond. */
const readyRoute = route('GET /ready', {
  summary: 'Reports that the service accepts requests, its variant, its open stores and its model.',
  request: z.object({}),
  response: z.object({
    status: z.literal('ready').describe('Always "ready".'),
    variant: z.string().optional().describe(`"hybrid" or "search-only". ${WITH_TOKEN}`),
    stores: z
      .object({ open: count('Number of stores in use; the schema of each was checked.') })
      .optional()
      .describe(`The stores of the projects that are in use. ${WITH_TOKEN}`),
    model: modelStatus.optional().describe(`The embedding model. ${WITH_TOKEN}`),
  }),
  openKeys: ['status'],
  errors: ['store_unavailable', 'overloaded'],
  handle: async ({ variant, requestLimit, monitor }: ServerState) => {
    requestLimit.assertOpen();
    return { status: 'ready' as const, variant, ...(await monitor.readiness()) };
  },
});

/** The state of a running server. */
interface ServerState {
  readonly variant: string;
  readonly requestLimit: RequestLimit;
  readonly monitor: Pick<Monitor, 'readiness'>;
}

/** Metrics of the service since its start, for Prometheus. */
export function metricsPage(monitor: Pick<Monitor, 'metrics'>): Page {
  return {
    path: '/metrics',
    type: 'text',
    documentation: {
      summary: 'Returns the metrics of the service since its start, for Prometheus.',
      description: 'Prometheus text format; docs/operations.md lists the metrics.',
    },
    read: () => monitor.metrics(),
  };
}
