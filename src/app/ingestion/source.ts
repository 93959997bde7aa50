import type { SourceDocument, SourceType } from '../../domain/chunks/chunk.js';

/** A file of a project that can be indexed. */
export interface Source {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  /** Reads and chunks it as it is now; undefined where it is not there any more. */
  read(): Promise<SourceDocument | SkippedSource | undefined>;
}

/** A source that is there but cannot be read, and why. */
export interface SkippedSource {
  readonly skipped: string;
}
