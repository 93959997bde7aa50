import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import { digestRoutes } from './digest-routes.js';
import { documentRoutes } from './document-routes.js';
import { lessonRoutes } from './lesson-routes.js';
import { noteRoutes } from './note-routes.js';
import { pageRoutes } from './page-routes.js';
import { recoveryRoutes } from './recovery-routes.js';
import type { Route } from './route.js';
import { sourceRoutes } from './source-routes.js';
import { specifiedRoutes } from './specified-routes.js';
import { statusRoutes } from './status-routes.js';
import { upkeepRoutes } from './upkeep-routes.js';

/**
 * The five specified routes, then the extensions under `/api/knowledge/x` (docs/specification.md, "HTTP
 * interface" and "Extensions").
 */
export function hybridApi(services: Omit<KnowledgeServices, 'embedder'>): readonly Route[] {
  const { store, notes, documents, pages, digests, recovery } = services;
  return [
    ...specifiedRoutes(store),
    ...lessonRoutes(services),
    ...upkeepRoutes(store),
    ...statusRoutes(store),
    ...pageRoutes(pages),
    ...digestRoutes(digests),
    ...noteRoutes(notes),
    ...documentRoutes(documents),
    ...sourceRoutes(services),
    ...recoveryRoutes(recovery),
  ];
}
