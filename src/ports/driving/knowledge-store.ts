import type { IngestionService } from './ingestion-service.js';
import type { SearchService } from './search-service.js';
import type { StatusService } from './status-service.js';
import type { UpkeepService } from './upkeep-service.js';

/**
 * The service as every driver sees it (`docs/specification.md`, "Service methods"). `projectPath` is
 * the absolute path of an existing directory; whichever method comes first opens the project's
 * store, and creates it if it is not one that only reads.
 *
 * Every method may throw KnowledgeError `invalid_request` (which names the argument),
 * `path_not_allowed`, `project_not_found`, `schema_too_new`, `store_unavailable`; those that write
 * also `storage_full`.
 */
export interface KnowledgeStore
  extends SearchService,
    IngestionService,
    StatusService,
    UpkeepService {
  /** Opens the project's store and creates what is missing of it. */
  initialize(projectPath: string): Promise<void>;
}
