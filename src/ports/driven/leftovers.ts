/** A file in the application directory that the service no longer needs. */
export interface Leftover {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /**
   * `temporary`: a write that was interrupted long ago. `damaged`: a database that was set aside.
   * `replaced`: a database that was there before a backup was restored.
   */
  readonly kind: 'temporary' | 'damaged' | 'replaced';
}

export interface Leftovers {
  /** What is left over in the application directory of a project, sorted by path; at most 1,000. */
  find(projectPath: string): Promise<readonly Leftover[]>;
}
