import type { IngestionService } from './ingestion-service.js';
import type { SearchService } from './search-service.js';
import type { StatusService } from './status-service.js';
import type { UpkeepService } from './upkeep-service.js';

/**
 * The main driving port of the service (docs/specification.md, "Service methods"). `projectPath` is
 * the absolute path of an existing directory. The first call for a project opens its store, and
 * creates it unless the method only reads.
 *
 * Every method with a `projectPath`, of this port and of the other driving ports, may throw KnowledgeError
 * `invalid_request` (which names the argument), `path_not_allowed`, `project_not_found`, `schema_too_new`,
 * `store_unavailable` or `overloaded` (too many calls wait for the store, or one took too long); those that
 * write may also throw `storage_full`.
 */
export interface KnowledgeStore
  extends SearchService,
    IngestionService,
    StatusService,
    UpkeepService {
  /** Opens the project's store; creates it, or its missing parts. */
  initialize(projectPath: string): Promise<void>;
}
