import type { Route } from '../../adapters/http/routes/route.js';
import { knowledgeTools } from '../../adapters/mcp/tools/knowledge-tools.js';
import type { Tool } from '../../adapters/mcp/tools/tool.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { Variant } from '../config/config.js';
import type { StoreTotals } from '../projects/store-totals.js';
import type { ComposedService } from './compose-service.js';
import { routesOf } from './routes.js';

/** How a set of services can be called from outside. */
export interface Doors {
  /** The HTTP interface of the variant. */
  readonly routes: readonly Route[];
  /** Whether people can look at it in a browser. */
  readonly hasConsole: boolean;
  /** The tools of the MCP server, the same in every variant. */
  readonly tools: readonly Tool[];
}

/** A service as its process needs it, wherever the work is done. */
export interface ServedService
  extends KnowledgeServices,
    Doors,
    Pick<ComposedService, 'logger' | 'checkStore' | 'projectsInUse' | 'waitingCalls' | 'stop'> {
  /** What the stores in use hold together; undefined while that cannot be said. */
  totals(): Promise<StoreTotals | undefined>;
}

export function doorsTo(services: KnowledgeServices, variant: Variant): Doors {
  return {
    routes: routesOf(services, variant),
    hasConsole: HAS_CONSOLE[variant],
    tools: knowledgeTools(services),
  };
}

const HAS_CONSOLE: Readonly<Record<Variant, boolean>> = { hybrid: true, 'search-only': false };
