import type { ReportedCitation } from '../../domain/citations/citation-report.js';

/** A chunk that cites what has changed or is gone. */
export interface OutdatedChunk {
  readonly id: string;
  readonly sourceFile: string;
  readonly heading?: string;
  /** All of its citations. */
  readonly citations: readonly ReportedCitation[];
}

/** Says which knowledge no longer holds (docs/specification.md, "Citations"). */
export interface CitationService {
  /** Every stale chunk, sorted by id, by the stored verdicts. Creates nothing. */
  staleChunks(projectPath: string): Promise<readonly OutdatedChunk[]>;
}
