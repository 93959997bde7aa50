/** A file that exists but was not read, or an include pattern that can match nothing. */
export interface SkippedSource {
  /** Relative to the project; for a pattern, the pattern. */
  readonly sourceFile: string;
  readonly reason: string;
}

/** The result of an ingestion, in files. */
export interface IngestionReport {
  /**
   * Number of files with chunks in the index after the run, whether new, changed or unchanged; 0 if the
   * settings forbid reading the sources.
   */
  readonly indexed: number;
  readonly skipped: readonly SkippedSource[];
  /** Number of sources that are gone, and whose chunks were removed. */
  readonly removed: number;
}

/** Lets a caller see how far a long call is, and end it. */
export interface Watching {
  /** Called often; must return at once and not throw. */
  readonly onProgress?:
    | ((amount: { readonly done: number; readonly total: number }) => void)
    | undefined;
  /** Once it is aborted, the call ends as soon as it can. */
  readonly signal?: AbortSignal | undefined;
}

/** Brings the index of a project up to date with its files (docs/specification.md, "Ingestion"). */
export interface IngestionService {
  /** Indexes `features/{id}/reflection.md` of every feature. Returns the number of files indexed. */
  ingestReflections(projectPath: string): Promise<number>;
  /**
   * Indexes the last 2,000 characters of `features/{id}/agent-output.md` of every feature. Returns the number
   * of files indexed.
   */
  ingestAgentOutputs(projectPath: string): Promise<number>;
  /**
   * Does what `readAllSources` and `rebuildIndex` do and restores chunks that were pruned, if the setting `autoReindex`
   * is true; otherwise only what `rebuildIndex` does.
   */
  reindex(projectPath: string, watching?: Watching): Promise<IngestionReport>;
  /**
   * Indexes sources that are new or have changed, and removes those that are gone. Pruned chunks of unchanged files
   * stay away. Does not depend on the setting `autoReindex`.
   * @throws KnowledgeError `store_unavailable` if the service is stopped or the call is cancelled meanwhile; what
   * was indexed until then stays
   */
  readAllSources(projectPath: string, watching?: Watching): Promise<IngestionReport>;
  /** Rebuilds the full-text index from the chunks, without reading a file. */
  rebuildIndex(projectPath: string): Promise<void>;
}
