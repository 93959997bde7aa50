import { lessonsIn } from '../../domain/lessons/category-text.js';
import {
  type LessonWords,
  lessonWords,
  saysTheSame,
} from '../../domain/lessons/lesson-similarity.js';
import { MAX_RESULTS_RANGE } from '../../domain/limits.js';
import { isMemoryPath } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { Project } from '../projects/project.js';
import type { Search } from '../search/search.js';

export interface MemoryLessonsOptions {
  readonly searches: Search;
  readonly appDirs: AppDirectories;
  readonly files: ProjectFiles;
}

/** What the memory of a project holds, looked up for the lessons of one feature. */
export class MemoryLessons {
  readonly #options: MemoryLessonsOptions;
  readonly #project: Project;
  readonly #lessons = new Map<string, readonly LessonWords[]>();

  constructor(options: MemoryLessonsOptions, project: Project) {
    this.#options = options;
    this.#project = project;
  }

  /**
   * Whether a category says the same. The search says which ones hold something like it; their
   * files are compared whole, since a chunk may be one lesson, several, or a part of one.
   */
  async hold(text: string): Promise<boolean> {
    const { searches, appDirs } = this.#options;
    const appDir = appDirs.of(this.#project.path);
    const { results } = await searches.findSimilar(this.#project, text, SIMILAR);
    const files = new Set(results.map(({ chunk }) => chunk.sourceFile));
    const words = lessonWords(text);
    for (const file of files) {
      if (!isMemoryPath(appDir, file)) continue;
      if ((await this.#lessonsIn(file)).some((lesson) => saysTheSame(lesson, words))) return true;
    }
    return false;
  }

  async #lessonsIn(file: string): Promise<readonly LessonWords[]> {
    const known = this.#lessons.get(file);
    if (known !== undefined) return known;
    const reading = await this.#options.files.readText(this.#project.path, file);
    const text = reading === undefined || 'skipped' in reading ? '' : reading.text;
    const lessons = lessonsIn(text).map(lessonWords);
    this.#lessons.set(file, lessons);
    return lessons;
  }
}

/** As many as the search has candidates. */
const SIMILAR = { maxResults: MAX_RESULTS_RANGE.max };
