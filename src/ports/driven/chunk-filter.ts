import type { SourceTypeFilter } from '../../domain/search.js';

/** Which chunks a look-up may return. */
export interface ChunkFilter {
  /** An empty list lets nothing through. */
  readonly sourceTypes: SourceTypeFilter;
  /** Source files whose chunks are left out; absent or empty excludes none. */
  readonly excludedSources?: readonly string[];
}
