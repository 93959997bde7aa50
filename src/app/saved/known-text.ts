import type { Chunk } from '../../domain/chunks/chunk.js';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { lessonsIn } from '../../domain/lessons/category-text.js';
import {
  type LessonWords,
  lessonWords,
  saysTheSame,
} from '../../domain/lessons/lesson-similarity.js';
import { MAX_RESULTS_RANGE } from '../../domain/limits.js';
import { savedFileAt } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { Project } from '../projects/project.js';
import type { Search } from '../search/search.js';

interface KnownTextOptions {
  readonly searches: Search;
  readonly files: ProjectFileReader;
  readonly appDirs: AppDirectories;
}

/** Tells whether a project already knows what a text says, by the rule of lessons. */
export class KnownText {
  readonly #options: KnownTextOptions;

  constructor(options: KnownTextOptions) {
    this.#options = options;
  }

  /**
   * The id of a chunk that says the same; undefined if there is none. A search says which chunks hold
   * something like it. A saved file is also compared as a whole, since each of its chunks says a part.
   */
  async chunkThatSays(project: Project, text: string): Promise<string | undefined> {
    const { results } = await this.#options.searches.findSimilar(project, text, SIMILAR);
    const chunks = results.map(({ chunk }) => chunk);
    const words = lessonWords(text);
    const same = chunks.find((chunk) => wordingsOf(chunk).some((own) => saysTheSame(own, words)));
    return same?.id ?? (await this.#chunkOfFileThatSays(project, chunks, words))?.id;
  }

  async #chunkOfFileThatSays(
    project: Project,
    chunks: readonly Chunk[],
    words: LessonWords,
  ): Promise<Chunk | undefined> {
    const appDir = this.#options.appDirs.of(project.path);
    const seen = new Set<string>();
    for (const chunk of chunks) {
      const { sourceFile } = chunk;
      if (seen.has(sourceFile) || !savedFileAt(appDir, sourceFile)) continue;
      seen.add(sourceFile);
      const reading = await this.#options.files.readText(project.path, sourceFile);
      if (reading === undefined || 'skipped' in reading) continue;
      if (saysTheSame(lessonWords(splitFrontmatter(reading.text).body), words)) return chunk;
    }
    return undefined;
  }
}

/** As many as the search has candidates. */
const SIMILAR = { maxResults: MAX_RESULTS_RANGE.max };

/** A chunk may be one lesson or several. */
function wordingsOf({ heading = '', content }: Chunk): readonly LessonWords[] {
  return [`${heading} ${content}`, ...lessonsIn(content)].map(lessonWords);
}
