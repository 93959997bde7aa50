import type { Random } from './random.js';

/** How large a run is. */
export interface FaultOptions {
  readonly rounds: number;
  /** For families that run for a time. */
  readonly seconds: number;
  /** How many services work on one project. */
  readonly processes: number;
  /** For families whose input can be larger. */
  readonly size?: number;
  readonly random: Random;
}

/** What came of a family. Only `lost` and `wrong` fail it. */
export interface FaultOutcome {
  readonly rounds: number;
  /** Operations that the service confirmed with a 2xx, or rounds that it survived. */
  readonly acknowledged: number;
  /** Confirmed operations whose effect is gone. */
  readonly lost: number;
  /** One sentence for each violated invariant or undocumented response. */
  readonly wrong: readonly string[];
  /** Figures worth printing. */
  readonly notes: readonly string[];
}

/** One kind of fault: a harness, and the proof that this harness can see the damage it looks for. */
export interface FaultFamily {
  readonly name: string;
  readonly title: string;
  readonly defaultRounds: number;
  run(options: FaultOptions): Promise<FaultOutcome>;
  /** Does the same to something careless; what the harness then finds. Nothing found means a blind harness. */
  negativeControl(options: FaultOptions): Promise<readonly string[]>;
}
