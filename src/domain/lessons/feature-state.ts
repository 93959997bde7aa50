/** Where a feature stands, for a host program that drives it; EXECUTE is the specification's. */
export const FEATURE_STATES = ['BACKLOG', 'PLAN', 'EXECUTE', 'VERIFY', 'DONE', 'FAILED'] as const;

export type FeatureState = (typeof FEATURE_STATES)[number];

/** The states that may follow each: work that fails verification is executed again, a failed feature retried. */
export const FEATURE_TRANSITIONS: Readonly<Record<FeatureState, readonly FeatureState[]>> = {
  BACKLOG: ['PLAN'],
  PLAN: ['EXECUTE', 'FAILED'],
  EXECUTE: ['VERIFY', 'FAILED'],
  VERIFY: ['DONE', 'EXECUTE', 'FAILED'],
  DONE: [],
  FAILED: ['PLAN', 'EXECUTE'],
};

export function mayFollow(from: FeatureState, to: FeatureState): boolean {
  return FEATURE_TRANSITIONS[from].includes(to);
}
