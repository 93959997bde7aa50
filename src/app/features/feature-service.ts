import type {
  CompletionReport,
  FeatureInHand,
  FeatureLifecycle,
  Lessons,
} from '../../ports/feature-lifecycle.js';
import type { Projects } from '../projects.js';
import { AutoMode, type AutoModeParts } from './auto-mode.js';
import { FeatureFolder, type FeatureFolderPorts } from './feature-folder.js';
import { LeadEngineer } from './lead-engineer.js';
import { LearningIntake, type LearningIntakeParts } from './learning-intake.js';

/** The ports and use cases that the feature part stands on. */
export interface FeatureServiceParts
  extends FeatureFolderPorts,
    LearningIntakeParts,
    Omit<AutoModeParts, 'folder' | 'intake'> {
  readonly projects: Projects;
}

/** Lessons in and lessons out: opens the project and hands over to its use case. */
export class FeatureService implements FeatureLifecycle {
  readonly #projects: Projects;
  readonly #leadEngineer: LeadEngineer;
  readonly #autoMode: AutoMode;

  constructor(parts: FeatureServiceParts) {
    const folder = new FeatureFolder(parts);
    const intake = new LearningIntake(parts);
    this.#projects = parts.projects;
    this.#leadEngineer = new LeadEngineer({ searches: parts.searches, folder });
    this.#autoMode = new AutoMode({ ...parts, folder, intake });
  }

  async lessonsFor(projectPath: string, feature: FeatureInHand): Promise<Lessons> {
    return this.#leadEngineer.lessonsFor(await this.#projects.open(projectPath), feature);
  }

  async completeFeature(projectPath: string, featureId: string): Promise<CompletionReport> {
    return this.#autoMode.completeFeature(await this.#projects.open(projectPath), featureId);
  }
}
