import { errorReason, ModelCallError } from '../../domain/errors.js';
import { type Lesson, reflectionText } from '../../domain/lessons/lesson-text.js';
import { needsCompaction } from '../../domain/upkeep/compaction.js';
import type { FeatureReport, LessonExtractor } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { CompleteRequest } from '../../schemas/lessons.js';
import { KeyedMutex } from '../../shared/concurrency.js';
import { type Measuring, measureTask } from '../measured-calls.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import type { Compaction } from '../upkeep/compaction.js';
import { noModelError } from '../upkeep/summaries.js';
import { FeatureFolder, type FeatureFolderOptions } from './feature-folder.js';
import {
  type GrownCategory,
  type Intake,
  LessonIntake,
  type LessonIntakeOptions,
} from './lesson-intake.js';

interface FeatureCompletionDeps extends FeatureFolderOptions, LessonIntakeOptions, Measuring {
  readonly projects: Pick<Projects, 'open'>;
  readonly extractor: LessonExtractor;
  readonly compaction: Pick<Compaction, 'compactCategory'>;
  readonly logger: Logger;
}

/** The additions to the memory for a completed feature. */
export interface CompletionReport {
  readonly lessons: number;
  readonly added: number;
  readonly duplicates: number;
  /** Names of the categories with new lessons. */
  readonly categories: readonly string[];
  readonly compacted: readonly string[];
}

/** Adds the lessons of a finished feature to the memory (docs/specification.md, "Lessons and features"). */
export class FeatureCompletion {
  readonly #deps: FeatureCompletionDeps;
  readonly #folder: FeatureFolder;
  readonly #intake: LessonIntake;
  readonly #completions = new KeyedMutex();

  constructor(deps: FeatureCompletionDeps) {
    this.#deps = deps;
    this.#folder = new FeatureFolder(deps);
    this.#intake = new LessonIntake(deps);
  }

  /**
   * Completes a feature. Completions for one path run one at a time in this process, so that each sees the lessons that
   * the previous one added.
   * @throws KnowledgeError `not_found` for an unknown feature, `model_unavailable` if no language model is set or its
   *   call fails
   */
  complete({ projectPath, featureId }: CompleteRequest): Promise<CompletionReport> {
    return this.#completions.runExclusive(projectPath, async () =>
      this.#complete(await this.#deps.projects.open(projectPath), featureId),
    );
  }

  async #complete(project: OpenProject, featureId: string): Promise<CompletionReport> {
    const report = await this.#readReport(project, featureId);
    const lessons = await this.#extract(report);
    const intake = await this.#intake.take(project, featureId, lessons);
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

  async #readReport(project: Project, id: string): Promise<FeatureReport> {
    const folder = this.#folder;
    const { title = id, description = '' } = await folder.requireFeature(project, id);
    return {
      title,
      description,
      agentOutput: await folder.agentOutput(project, id, AGENT_OUTPUT_CHARACTERS),
      reflection: await folder.reflection(project, id),
    };
  }

  async #extract(report: FeatureReport): Promise<readonly Lesson[]> {
    const { extractor } = this.#deps;
    if (extractor.isAvailable?.() === false) throw noModelError();
    try {
      return await measureTask(this.#deps, 'lessons', () => extractor.extractLessons(report));
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      throw noModelError(error);
    }
  }

  /** Writes a reflection if there is none, because later searches find lessons in reflections. */
  async #reflect(project: OpenProject, { featureId, report, intake }: Taught): Promise<void> {
    if (intake.distinct.length === 0) return;
    const { title, description } = report;
    const text = reflectionText({ title, description, lessons: intake.distinct });
    const isNew = await this.#folder.writeMissingReflection(project, featureId, text);
    if (isNew) await project.ingest({ group: 'reflections' });
  }

  async #compact(
    project: OpenProject,
    grown: readonly GrownCategory[],
  ): Promise<readonly string[]> {
    const compacted: string[] = [];
    for (const { name } of grown.filter(({ text }) => needsCompaction(text))) {
      if (await this.#compactCategory(project, name)) compacted.push(name);
    }
    return compacted;
  }

  /**
   * Returns whether the category was compacted. Never rejects: the lessons are already stored, and the category only
   * stays long for now.
   */
  async #compactCategory(project: OpenProject, category: string): Promise<boolean> {
    const { compaction, logger } = this.#deps;
    try {
      const { compacted, reason } = await compaction.compactCategory(project, category);
      if (!compacted) logger.warn('A memory category was not compacted.', { category, reason });
      return compacted;
    } catch (error) {
      logger.warn('Compacting a memory category failed.', { category, reason: errorReason(error) });
      return false;
    }
  }
}

/** Number of characters sent from the end of an agent's output, which tells the outcome. */
const AGENT_OUTPUT_CHARACTERS = 20_000;

interface Taught {
  readonly featureId: string;
  readonly report: FeatureReport;
  readonly intake: Intake;
}
