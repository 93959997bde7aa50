/** What a digest is made of: exactly one of the two. */
export interface DigestSubject {
  /** Name of a memory category, without `.md`. */
  readonly category?: string | undefined;
  /** The reflections of the features of this epic. */
  readonly epicId?: string | undefined;
}

/** A digest as it is kept now. */
export interface DigestReport {
  readonly sourceFile: string;
  /** Number of its chunks in the index. */
  readonly chunks: number;
  /** The source files that it was made of, sorted. */
  readonly sources: readonly string[];
  /** Whether there was no such digest before. */
  readonly isNew: boolean;
}

/** Writes summaries with the small language model (docs/specification.md, "Knowledge in"). */
export interface DigestService {
  /**
   * Writes the digest of a subject to `<appdir>/digests/<name>.md`. A digest whose sources have not
   * changed stays as it is, and no model is called.
   * @throws KnowledgeError `invalid_request`, `category_not_found`, `not_found` for an epic without
   * reflections, `model_unavailable` if there is no model or its answer is of no use; an older digest
   * then stays
   */
  makeDigest(projectPath: string, subject: DigestSubject): Promise<DigestReport>;
}
