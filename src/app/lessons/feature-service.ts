import type {
  CompletionReport,
  FeatureLifecycle,
  FoundLessons,
  UpcomingFeature,
} from '../../ports/driving/feature-lifecycle.js';
import { checkArguments } from '../arguments.js';
import { KeyedMutex } from '../keyed-mutex.js';
import type { Projects } from '../projects/projects.js';
import { FeatureCompletion, type FeatureCompletionParts } from './feature-completion.js';
import { FeatureFolder, type FeatureFolderPorts } from './feature-folder.js';
import { LessonIntake, type LessonIntakeParts } from './lesson-intake.js';
import { type LessonsPorts, lessonsForFeature } from './lessons-for-feature.js';

/** The ports and use cases that the feature part stands on. */
interface FeatureServiceParts
  extends FeatureFolderPorts,
    LessonIntakeParts,
    Omit<FeatureCompletionParts, 'folder' | 'intake'> {
  readonly projects: Projects;
}

/** Checks the arguments of both feature methods, opens the project and calls the use case. */
export class FeatureService implements FeatureLifecycle {
  readonly #projects: Projects;
  readonly #lessons: LessonsPorts;
  readonly #completion: FeatureCompletion;
  readonly #arrivals = new KeyedMutex();

  constructor(parts: FeatureServiceParts) {
    const folder = new FeatureFolder(parts);
    const intake = new LessonIntake(parts);
    this.#projects = parts.projects;
    this.#lessons = { searches: parts.searches, folder };
    this.#completion = new FeatureCompletion({ ...parts, folder, intake });
  }

  async lessonsFor(projectPath: string, feature: UpcomingFeature): Promise<FoundLessons> {
    checkArguments({ projectPath, feature });
    const { title, description, featureId, maxResults } = feature;
    checkArguments({ title }, { description, featureId, maxResults });
    return lessonsForFeature(this.#lessons, await this.#projects.open(projectPath), feature);
  }

  /** Calls run in the order in which they are made, also while the project is being opened. */
  async completeFeature(projectPath: string, featureId: string): Promise<CompletionReport> {
    checkArguments({ projectPath, featureId });
    return this.#arrivals.runExclusive(projectPath, async () =>
      this.#completion.completeFeature(await this.#projects.open(projectPath), featureId),
    );
  }
}
