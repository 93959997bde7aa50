import type { DigestService } from '../../../ports/driving/digest-service.js';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import type { PageService } from '../../../ports/driving/page-service.js';
import { digestRoutes } from './digest-routes.js';
import { lessonRoutes } from './lesson-routes.js';
import { pageRoutes } from './page-routes.js';
import type { Route } from './route.js';
import { specifiedRoutes } from './specified-routes.js';
import { statusRoutes } from './status-routes.js';
import { upkeepRoutes } from './upkeep-routes.js';

/** The five specified routes, then the extensions under `/api/knowledge/x` (docs/specification.md, "HTTP interface" and "Extensions"). */
export function hybridApi({ store, features, pages, digests }: HybridServices): readonly Route[] {
  return [
    ...specifiedRoutes(store),
    ...lessonRoutes({ store, features }),
    ...upkeepRoutes(store),
    ...statusRoutes(store),
    ...pageRoutes(pages),
    ...digestRoutes(digests),
  ];
}

export interface HybridServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
  readonly pages: PageService;
  readonly digests: DigestService;
}
