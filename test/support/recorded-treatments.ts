import type { ProjectStore, StoreFinding, Treatment } from '../../src/ports/project-stores.js';

/** The treatments that a store is asked for from now on, each of which has this outcome, by default that nothing was wrong. */
export function recordedTreatments(
  { upkeep }: Pick<ProjectStore, 'upkeep'>,
  outcome: () => Promise<readonly StoreFinding[]> = async () => [],
): readonly Treatment[] {
  const treatments: Treatment[] = [];
  upkeep.maintain = (treatment) => {
    treatments.push(treatment);
    return outcome();
  };
  return treatments;
}
