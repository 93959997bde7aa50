/** How often the health of the workers is looked at, and how often they give a sign of life. */
export const TICK_MS = 150;

/** A worker without a sign of life for so long gets no calls. */
export const SILENT_MS = 500;

/** A worker refuses calls that must not be run twice if it comes to read them so late. */
export const LATE_MS = 700;

/** How long a worker may be silent before it is ended. */
export interface SilenceLimits {
  readonly stuckMs: number;
  /** While it does upkeep, whose single steps may take minutes. */
  readonly stuckInUpkeepMs: number;
}
export const SILENCE_LIMITS: SilenceLimits = { stuckMs: 20_000, stuckInUpkeepMs: 10 * 60_000 };

/** How long a worker may take to start, and how long after a failed start the next one is tried. */
export const START_PATIENCE_MS = 30_000;
export const START_PAUSE_MS = 1_000;

/** A reader that was started because no other worker responded ends after so long. */
export const SPARE_MS = 30_000;

/** Calls of one project that one worker has at once, except writes: they keep the others waiting. */
export const MAX_CALLS_OF_PROJECT = 4;

/** How often a call that reads is given to another worker. */
export const MAX_TRIES = 2;

/** After so long the owner gets a call of a project again, so that it does not give up the background work. */
export const OWNER_REFRESH_MS = 60_000;

export const CLAIM_PATIENCE_MS = 5_000;

/** How long a worker may take to stop: within the 10 seconds of the whole service. */
export const STOP_PATIENCE_MS = 4_000;
