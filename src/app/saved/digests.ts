import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import { visibleText } from '../../domain/lessons/lesson-text.js';
import { categoryPath, type SavedFile } from '../../domain/project-layout.js';
import {
  type DigestSource,
  digestName,
  isMadeFrom,
  savedText,
  textOfDigest,
} from '../../domain/saved/saved-text.js';
import { hasLetterOrDigit } from '../../domain/text.js';
import { partsToSummarize, summaryBody } from '../../domain/upkeep/compaction.js';
import type { Clock } from '../../ports/clock.js';
import type { Summarizer } from '../../ports/language-model.js';
import type { Metrics } from '../../ports/metrics.js';
import type { ProjectDirectories } from '../../ports/project-directories.js';
import type { Answer } from '../../schemas/checks.js';
import type { DigestRequest, digest } from '../../schemas/saved.js';
import { KeyedMutex } from '../../shared/concurrency.js';
import { FeatureFolder, type FeatureFolderOptions } from '../lessons/feature-folder.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import type { MemoryFolder } from '../upkeep/memory-folder.js';
import { maxSummarized, summarize } from '../upkeep/summaries.js';
import type { SavedFiles } from './saved-files.js';

interface DigestsOptions extends FeatureFolderOptions {
  readonly memory: MemoryFolder;
  readonly projects: Projects;
  readonly directories: ProjectDirectories;
  readonly saved: SavedFiles;
  readonly summarizer: Summarizer;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Summarizes sources with the language model, and saves the result as a new source. */
export class Digests {
  readonly #options: DigestsOptions;
  readonly #calls = new KeyedMutex();

  constructor(options: DigestsOptions) {
    this.#options = options;
  }

  /**
   * Writes the digest of a subject to `<appdir>/digests/<name>.md`. If its sources have not changed, the digest stays
   * and no model is called. Runs one at a time per project in this process, so that two calls for the same digest pay
   * for only one.
   * @throws KnowledgeError `category_not_found`; `not_found` for an epic without reflections, and for sources without
   *   text; `model_unavailable` if there is no model or its answer is unusable. An older digest then stays
   */
  async make({ projectPath, category, epicId }: DigestRequest): Promise<DigestReport> {
    if ((category === undefined) === (epicId === undefined)) {
      throw invalidRequest('Exactly one of category and epicId must be set.');
    }
    const { projects, directories } = this.#options;
    const path = await directories.resolve(projectPath);
    return this.#calls.runExclusive(path, async () => {
      const material =
        category === undefined
          ? await this.#ofEpic(path, epicId ?? '')
          : await this.#ofCategory(path, category);
      return this.#make(await projects.open(projectPath), material);
    });
  }

  /** @throws KnowledgeError `category_not_found` */
  async #ofCategory(path: string, category: string): Promise<DigestMaterial> {
    const { memory, appDirs } = this.#options;
    const file = await memory.readCategory({ path }, category);
    if (file === undefined) {
      throw new KnowledgeError('category_not_found', `There is no memory category "${category}".`);
    }
    return {
      name: digestName('category', category),
      title: `Digest of ${category}`,
      sources: [{ sourceFile: categoryPath(appDirs.of(path), category), hash: file.hash }],
      text: splitFrontmatter(file.text).body,
    };
  }

  /** @throws KnowledgeError `not_found` if no feature of the epic has a reflection */
  async #ofEpic(path: string, epicId: string): Promise<DigestMaterial> {
    const features = new FeatureFolder(this.#options);
    const sources: DigestSource[] = [];
    const texts: string[] = [];
    for (const feature of await features.allFeatures({ path })) {
      if (feature.epicId !== epicId) continue;
      const sourceFile = features.reflectionFile({ path }, feature.id);
      const file = await this.#options.files.readText(path, sourceFile);
      if (file === undefined || 'skipped' in file || file.text.trim() === '') continue;
      sources.push({ sourceFile, hash: file.hash });
      const body = splitFrontmatter(file.text).body.trim();
      texts.push(`# ${feature.title ?? feature.id}\n\n${body}\n`);
    }
    if (sources.length === 0) {
      const problem = 'No feature with this epicId has a reflection.';
      throw new KnowledgeError('not_found', problem);
    }
    const name = digestName('epic', epicId);
    return { name, title: `Digest of epic ${epicId}`, sources, text: texts.join('\n') };
  }

  async #make(project: OpenProject, material: DigestMaterial): Promise<DigestReport> {
    const { saved, clock } = this.#options;
    const { name, title, sources } = material;
    const file: SavedFile = { sourceType: 'generated', name };
    const report = { sources: sources.map(({ sourceFile }) => sourceFile) };
    if (await this.#isCurrent(project, file, material)) {
      return { ...report, ...(await saved.index(project, file)), isNew: false };
    }
    const content = await this.#summarize(material);
    const isNew = !(await saved.exists(project, file));
    const digest = { title, made: clock.now().toISOString(), sources, content };
    return {
      ...report,
      ...(await saved.write(project, file, savedText(textOfDigest(digest)))),
      isNew,
    };
  }

  async #isCurrent(project: Project, file: SavedFile, { sources }: DigestMaterial) {
    const content = await this.#options.saved.read(project, file);
    if (content === undefined || content.body.trim() === '') return false;
    return isMadeFrom(content.frontmatter, sources);
  }

  /**
   * @throws KnowledgeError `model_unavailable` unless every part was summarized completely; `not_found` if there is no
   *   text
   */
  async #summarize({ title, text }: DigestMaterial): Promise<string> {
    const { parts } = partsToSummarize(text, maxSummarized(this.#options.summarizer));
    const made = await summarize(this.#options, parts, title);
    if ('failure' in made) throw unusable('returned no usable digest', made.failure);
    const summaries = made.summaries.map((summary) => summaryBody(visibleText(summary)));
    if (!summaries.every(hasLetterOrDigit)) throw unusable('returned an empty digest');
    if (summaries.length > 0) return summaries.join('\n\n');
    throw new KnowledgeError('not_found', 'The sources of the digest have no text.');
  }
}

/** The current digest, and whether it is new. */
export interface DigestReport extends Answer<typeof digest> {
  readonly isNew: boolean;
}

interface DigestMaterial {
  readonly name: string;
  readonly title: string;
  readonly sources: readonly DigestSource[];
  /** The texts of all sources, without their frontmatter. */
  readonly text: string;
}

function unusable(what: string, cause?: unknown): KnowledgeError {
  const sentence = `The small language model ${what}; try again later.`;
  return new KnowledgeError('model_unavailable', sentence, { cause });
}
