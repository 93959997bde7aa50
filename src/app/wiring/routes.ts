import { hybridApi } from '../../adapters/http/routes/hybrid-api.js';
import type { Reply, Route } from '../../adapters/http/routes/route.js';
import { searchOnlyApi } from '../../adapters/http/routes/search-only-api.js';
import type { ServiceCall } from '../../adapters/workers/protocol.js';
import { isRecord } from '../../domain/records.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { Variant } from '../config/config.js';

type Services = Omit<KnowledgeServices, 'embedder'>;

/** The HTTP interface of a variant. */
export function routesOf(services: Services, variant: Variant): readonly Route[] {
  return APIS[variant](services);
}

const APIS: Readonly<Record<Variant, (services: Services) => readonly Route[]>> = {
  hybrid: hybridApi,
  'search-only': searchOnlyApi,
};

/** Makes whole replies, where the services are: a service whose methods are the names of the routes. */
export function repliesOf(routes: readonly Route[]): object {
  const replies = routes.map((route) => [
    nameOf(route),
    (_projectPath: string, fields: unknown) => route.handle(fields),
  ]);
  return Object.fromEntries(replies);
}

/** Routes whose replies another process makes where they ask for that, and the project is known. */
export function withReplies(
  routes: readonly Route[],
  call: (call: ServiceCall) => Promise<unknown>,
): readonly Route[] {
  return routes.map((route) => {
    const { kind } = route;
    if (kind === undefined) return route;
    const handle = async (fields: unknown): Promise<Reply> => {
      const projectPath = isRecord(fields) ? fields['projectPath'] : undefined;
      if (typeof projectPath !== 'string') return route.handle(fields);
      const args = [projectPath, fields];
      const reply = call({ service: 'routes', method: nameOf(route), kind, args });
      return reply as Promise<Reply>;
    };
    return { ...route, handle };
  });
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
