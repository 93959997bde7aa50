import type { ToldCitation } from '../../domain/citations/told-citation.js';

/** A chunk that cites what has changed or is gone. */
export interface StaleChunk {
  readonly id: string;
  readonly sourceFile: string;
  readonly heading?: string;
  /** All of its citations. */
  readonly citations: readonly ToldCitation[];
}

/** Says which knowledge no longer holds (docs/specification.md, "Citations"). */
export interface CitationService {
  /** Every stale chunk, by its id. Looks at all citations, so it may take seconds. Creates nothing. */
  staleChunks(projectPath: string): Promise<readonly StaleChunk[]>;
}
