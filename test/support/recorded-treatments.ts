import type {
  MaintenanceTask,
  ProjectStore,
  StoreFinding,
} from '../../src/ports/project-stores.js';

/**
 * Records the maintenance tasks that a store is given from now on. Each has this outcome; by default, nothing was
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
