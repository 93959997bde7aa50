/** How large a run is; the seed repeats it. */
export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
}

/** One kind of generated input and what must hold for all of it. */
export interface FuzzFamily {
  readonly name: string;
  readonly title: string;
  readonly defaultRuns: number;
  /** @throws with the smallest input found, if anything does not hold */
  run(options: FuzzOptions): Promise<readonly string[]>;
  /** Runs the same checks against something broken. @throws if they see it, as they must */
  negativeControl(options: FuzzOptions): Promise<void>;
}
