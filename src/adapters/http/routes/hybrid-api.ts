import type { DigestService } from '../../../ports/driving/digest-service.js';
import type { DocumentsService } from '../../../ports/driving/documents-service.js';
import type { FeatureLifecycle } from '../../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import type { NotesService } from '../../../ports/driving/notes-service.js';
import type { PageService } from '../../../ports/driving/page-service.js';
import type { RecoveryService } from '../../../ports/driving/recovery-service.js';
import type { SourcesService } from '../../../ports/driving/sources-service.js';
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

/** The five specified routes, then the extensions under `/api/knowledge/x` (docs/specification.md, "HTTP interface" and "Extensions"). */
export function hybridApi(services: HybridServices): readonly Route[] {
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

export interface HybridServices {
  readonly store: KnowledgeStore;
  readonly features: FeatureLifecycle;
  readonly pages: PageService;
  readonly digests: DigestService;
  readonly notes: NotesService;
  readonly documents: DocumentsService;
  readonly sources: SourcesService;
  readonly recovery: RecoveryService;
}
