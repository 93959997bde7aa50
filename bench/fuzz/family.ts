/** The size of a run, and the seed that reproduces it. */
export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
}

/** One kind of generated input, with the properties that must hold for all of it. */
export interface FuzzFamily {
  readonly name: string;
  readonly title: string;
  readonly defaultRuns: number;
  /** @throws Error with the smallest failing input found */
  run(options: FuzzOptions): Promise<readonly string[]>;
  /**
   * Runs the same checks on something broken.
   * @throws Error if the checks detect it, as they must
   */
  negativeControl(options: FuzzOptions): Promise<void>;
}
