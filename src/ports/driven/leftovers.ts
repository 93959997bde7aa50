/** A file in the application directory that the service no longer needs. */
export interface Leftover {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /**
   * `temporary`: a write that was interrupted long ago. `damaged`: a database that was set aside.
   * `replaced`: the log of a database that was moved, replaced or removed.
   */
  readonly kind: 'temporary' | 'damaged' | 'replaced';
}

export interface Leftovers {
  /** What is left over in the application directory of a project, sorted by path; at most 1,000. */
  find(projectPath: string): Promise<readonly Leftover[]>;
}
