import { ModelCallError, reasonOf } from '../../domain/errors.js';
import { type Lesson, reflectionText } from '../../domain/lessons/lesson-text.js';
import { needsCompaction } from '../../domain/upkeep/compaction.js';
import type { CompletionReport, FeatureLifecycle } from '../../ports/driving/feature-lifecycle.js';
import type { FeatureReport, LessonExtractor } from '../../ports/lesson-extractor.js';
import type { Logger } from '../../ports/logger.js';
import { KeyedMutex } from '../../shared/promise-queue.js';
import { checkArguments } from '../arguments.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import { noModelError } from '../no-model-error.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import type { Compaction } from '../upkeep/compaction.js';
import { FeatureFolder, type FeatureFolderOptions } from './feature-folder.js';
import {
  type GrownCategory,
  type Intake,
  LessonIntake,
  type LessonIntakeOptions,
} from './lesson-intake.js';
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

interface FeatureCompletionOptions {
  readonly folder: FeatureFolder;
  readonly intake: LessonIntake;
  readonly extractor: LessonExtractor;
  readonly ingestion: Ingestion;
  readonly compaction: Compaction;
  readonly logger: Logger;
}

/**
 * Extracts the lessons of a finished feature into the memory (docs/specification.md, "Lessons and
 * features", where it is called auto mode).
 */
class FeatureCompletion {
  readonly #options: FeatureCompletionOptions;

  constructor(options: FeatureCompletionOptions) {
    this.#options = options;
  }

  async complete(project: Project, featureId: string): Promise<CompletionReport> {
    const report = await this.#reportOf(project, featureId);
    const lessons = await this.#extract(report);
    const intake = await this.#options.intake.take(project, featureId, lessons);
    await this.#reflect(project, { featureId, report, intake });
    const compacted = await this.#compact(project, intake.grown);
    return {
      lessons: intake.found,
      added: intake.added,
      duplicates: intake.duplicates,
      categories: intake.grown.map(({ name }) => name),
      compacted,
    };
  }

  async #reportOf(project: Project, id: string): Promise<FeatureReport> {
    const { folder } = this.#options;
    const { title = id, description = '' } = await folder.requireFeature(project, id);
    return {
      title,
      description,
      agentOutput: await folder.agentOutput(project, id, AGENT_OUTPUT_CHARACTERS),
      reflection: await folder.reflection(project, id),
    };
  }

  async #extract(report: FeatureReport): Promise<readonly Lesson[]> {
    const { extractor } = this.#options;
    if (!extractor.isAvailable()) throw noModelError('No small language model is set');
    try {
      return await extractor.extractLessons(report);
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      throw noModelError('The small language model gave no lessons', error);
    }
  }

  /** Later lessons are found in reflections, so a feature that taught something has one. */
  async #reflect(project: Project, { featureId, report, intake }: Taught): Promise<void> {
    if (intake.distinct.length === 0) return;
    const { folder, ingestion } = this.#options;
    const { title, description } = report;
    const text = reflectionText({ title, description, lessons: intake.distinct });
    const isNew = await folder.writeMissingReflection(project, featureId, text);
    if (isNew) await ingestion.ingest(project, { group: 'reflections' });
  }

  async #compact(project: Project, grown: readonly GrownCategory[]): Promise<readonly string[]> {
    const compacted: string[] = [];
    for (const { name } of grown.filter(({ text }) => needsCompaction(text))) {
      if (await this.#compactCategory(project, name)) compacted.push(name);
    }
    return compacted;
  }

  /** The lessons are stored: a category that stays long for now is no reason to fail. */
  async #compactCategory(project: Project, category: string): Promise<boolean> {
    const { compaction, logger } = this.#options;
    try {
      const { compacted, reason } = await compaction.compact(project, category);
      if (!compacted) logger.warn('A memory category was not compacted.', { category, reason });
      return compacted;
    } catch (error) {
      logger.warn('Compacting a memory category failed.', { category, reason: reasonOf(error) });
      return false;
    }
  }
}

/** The end of an agent's output, where the outcome stands, as much as one call may take. */
const AGENT_OUTPUT_CHARACTERS = 20_000;

interface Taught {
  readonly featureId: string;
  readonly report: FeatureReport;
  readonly intake: Intake;
}
