import type { Random } from './random.js';

/** How large a run is. */
export interface FaultOptions {
  readonly rounds: number;
  /** Duration, for families that run for a time. */
  readonly seconds: number;
  /** Number of services that work on one project. */
  readonly processes: number;
  /** Size of the input, for families that can vary it. */
  readonly size?: number;
  readonly random: Random;
}

/** The result of a family. Only `lost` and `wrong` make it fail. */
export interface FaultOutcome {
  readonly rounds: number;
  /** Number of operations that the service confirmed with a 2xx, or of rounds that it survived. */
  readonly acknowledged: number;
  /** Number of confirmed operations whose effect is gone. */
  readonly lost: number;
  /** One sentence for each violated invariant or undocumented response. */
  readonly wrong: readonly string[];
  /** Figures worth printing. */
  readonly notes: readonly string[];
}

/** One kind of fault: a harness, and a negative control to show that the harness detects the damage it looks for. */
export interface FaultFamily {
  readonly name: string;
  readonly title: string;
  readonly defaultRounds: number;
  run(options: FaultOptions): Promise<FaultOutcome>;
  /** Runs the harness on something careless, and returns what it finds. If it finds nothing, it is blind. */
  negativeControl(options: FaultOptions): Promise<readonly string[]>;
}
