import type { SourceTypeFilter } from '../domain/search.js';

/** Which chunks a lookup may return. */
export interface ChunkFilter {
  /** An empty list matches no chunk. */
  readonly sourceTypes: SourceTypeFilter;
  /** Source files whose chunks are left out; absent or empty excludes nothing. */
  readonly excludedSources?: readonly string[];
  /** Only chunks of source files below one of these folders; absent for those of any. */
  readonly folders?: readonly string[];
  /** Only chunks that have all of these tags, compared exactly, including case; absent or empty filters nothing. */
  readonly tags?: readonly string[];
}
