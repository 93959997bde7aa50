export interface PrunedChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** A sentence that says how long the chunk has been unused. */
  readonly reason: string;
}

/** What compaction did, or would do. */
export interface CompactionReport {
  readonly compacted: boolean;
  /** A sentence that says why the category was compacted, or why not. */
  readonly reason: string;
  /** Size of the file before compaction: number of words × 1.3, not rounded. */
  readonly tokensBefore: number;
  /** Size after compaction, in the same unit; equal to `tokensBefore` if nothing changed. */
  readonly tokensAfter: number;
}

/** What compaction would do, with the texts. */
export interface CompactionDraft extends CompactionReport {
  readonly before: string;
  /** Absent if nothing would change. */
  readonly after?: string;
}

/** The result of undoing a compaction. */
export interface RestorationReport {
  /** Where there is nothing to undo, the call fails. */
  readonly restored: true;
  /** Size of the file before, as in {@link CompactionReport}; 0 if there was none. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Keeps a project's knowledge small (docs/specification.md, "Pruning" and "Memory categories and compaction"). */
export interface UpkeepService {
  /**
   * Summarizes `<appdir>/memory/{categoryFile}.md` if it has more than `threshold` tokens (default 50,000),
   * counted as in `tokensBefore`.
   * @throws KnowledgeError `invalid_request`, `category_not_found`, and `model_unavailable` if a summary is
   * needed and no model can be reached
   */
  compactCategory(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport>;
  /** What `compactCategory` would do; calls no model and changes nothing. */
  previewCompaction(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport>;
  /**
   * The text that `compactCategory` would write; changes nothing. The process that made the last draft writes just that
   * text if the category has not changed since; another process asks the model again.
   * @throws KnowledgeError as `compactCategory` does
   */
  draftCompaction(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionDraft>;
  /**
   * Takes back the last compaction of a category: puts the text from before it back, and what stands there now
   * into the history.
   * @throws KnowledgeError `invalid_request`, and `not_found` if there was no compaction or it was taken back already
   */
  restoreCategory(projectPath: string, categoryFile: string): Promise<RestorationReport>;
  /** Deletes the chunks that were never retrieved and are at least 90 days old. Returns how many it deleted. */
  pruneStaleChunks(projectPath: string): Promise<number>;
  /** Does what `pruneStaleChunks` does, and returns the chunks with the reason for each. */
  pruneWithReport(projectPath: string): Promise<readonly PrunedChunk[]>;
  /** The chunks that `pruneStaleChunks` would delete. */
  previewPrune(projectPath: string): Promise<readonly PrunedChunk[]>;
}
