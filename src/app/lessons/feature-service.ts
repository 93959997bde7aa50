import type { FeatureLifecycle } from '../../ports/driving/feature-lifecycle.js';
import { checkArguments } from '../arguments.js';
import { KeyedMutex } from '../keyed-mutex.js';
import type { Projects } from '../projects/projects.js';
import { FeatureCompletion, type FeatureCompletionOptions } from './feature-completion.js';
import { FeatureFolder, type FeatureFolderOptions } from './feature-folder.js';
import { LessonIntake, type LessonIntakeOptions } from './lesson-intake.js';
import { type LessonsOptions, lessonsForFeature } from './lessons-for-feature.js';

interface FeatureServiceOptions
  extends FeatureFolderOptions,
    LessonIntakeOptions,
    Pick<LessonsOptions, 'searches'>,
    Omit<FeatureCompletionOptions, 'folder' | 'intake'> {
  readonly projects: Projects;
}

/** The feature methods: each checks its arguments, opens the project and calls its use case. */
export function createFeatureService(options: FeatureServiceOptions): FeatureLifecycle {
  const { projects, searches } = options;
  const folder = new FeatureFolder(options);
  const completion = new FeatureCompletion({
    ...options,
    folder,
    intake: new LessonIntake(options),
  });
  const completions = new KeyedMutex();
  return {
    lessonsFor: async (projectPath, feature) => {
      checkArguments({ projectPath, feature });
      const { title, description, featureId, maxResults } = feature;
      checkArguments({ title }, { description, featureId, maxResults });
      return lessonsForFeature({ searches, folder }, await projects.open(projectPath), feature);
    },
    /** Completions of one project go one after the other, so that each knows what the last one added. */
    completeFeature: async (projectPath, featureId) => {
      checkArguments({ projectPath, featureId });
      return completions.runExclusive(projectPath, async () =>
        completion.complete(await projects.open(projectPath), featureId),
      );
    },
  };
}
