import type {
  MaintenanceTask,
  ProjectStore,
  StoreFinding,
} from '../../src/ports/project-stores.js';

/**
 * The treatments that a store is asked for from now on, each of which has this outcome, by default that nothing was
 * wrong.
 */
export function recordedTreatments(
  { upkeep }: Pick<ProjectStore, 'upkeep'>,
  outcome: () => Promise<readonly StoreFinding[]> = async () => [],
): readonly MaintenanceTask[] {
  const treatments: MaintenanceTask[] = [];
  upkeep.maintain = (treatment) => {
    treatments.push(treatment);
    return outcome();
  };
  return treatments;
}
