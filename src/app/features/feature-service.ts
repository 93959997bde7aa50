import type {
  CompletionReport,
  FeatureInHand,
  FeatureLifecycle,
  Lessons,
} from '../../ports/feature-lifecycle.js';
import type { Projects } from '../projects.js';
import type { AutoMode } from './auto-mode.js';
import type { LeadEngineer } from './lead-engineer.js';

export interface FeatureServiceParts {
  readonly projects: Projects;
  readonly leadEngineer: LeadEngineer;
  readonly autoMode: AutoMode;
}

/** Lessons in and lessons out: opens the project and hands over to its use case. */
export class FeatureService implements FeatureLifecycle {
  readonly #parts: FeatureServiceParts;

  constructor(parts: FeatureServiceParts) {
    this.#parts = parts;
  }

  async lessonsFor(projectPath: string, feature: FeatureInHand): Promise<Lessons> {
    const { projects, leadEngineer } = this.#parts;
    return leadEngineer.lessonsFor(await projects.open(projectPath), feature);
  }

  async completeFeature(projectPath: string, featureId: string): Promise<CompletionReport> {
    const { projects, autoMode } = this.#parts;
    return autoMode.completeFeature(await projects.open(projectPath), featureId);
  }
}
