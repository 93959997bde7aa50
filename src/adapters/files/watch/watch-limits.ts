/** When a project is compared, and how much of it is watched. */
export interface WatchLimits {
  /** A project with more folders is compared at intervals. */
  readonly maxFolders?: number;
  /** Between two comparisons of a project whose changes the system tells. */
  readonly checkEveryMs?: number;
  /** Between two comparisons of another. */
  readonly pollEveryMs?: number;
}

export const WATCH_LIMITS: Required<WatchLimits> = {
  maxFolders: 5_000,
  checkEveryMs: 30_000,
  pollEveryMs: 1_500,
};
