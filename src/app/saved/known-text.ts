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

export interface KnownTextOptions {
  readonly searches: Search;
  readonly files: ProjectFileReader;
  readonly appDirs: AppDirectories;
}

interface SoughtText {
  readonly text: string;
  /** A source file that does not count. */
  readonly except?: string | undefined;
}

/**
 * The id of a chunk that says the same as a text, by the rule of lessons; undefined if there is none. A search says
 * which chunks hold something like it. A saved file is also compared as a whole, since each of its chunks says a part.
 */
export async function chunkThatSays(
  options: KnownTextOptions,
  project: Project,
  { text, except }: SoughtText,
): Promise<string | undefined> {
  const similar = { ...SIMILAR, excludedSources: except === undefined ? [] : [except] };
  const { results } = await options.searches.findSimilar(project, text, similar);
  const chunks = results.map(({ chunk }) => chunk);
  const words = lessonWords(text);
  const same = chunks.find((chunk) => wordingsOf(chunk).some((own) => saysTheSame(own, words)));
  return same?.id ?? (await chunkOfFileThatSays(options, project, { chunks, words }))?.id;
}

async function chunkOfFileThatSays(
  { files, appDirs }: KnownTextOptions,
  { path }: Project,
  { chunks, words }: { readonly chunks: readonly Chunk[]; readonly words: LessonWords },
): Promise<Chunk | undefined> {
  const appDir = appDirs.of(path);
  const seen = new Set<string>();
  for (const chunk of chunks) {
    const { sourceFile } = chunk;
    if (seen.has(sourceFile) || !savedFileAt(appDir, sourceFile)) continue;
    seen.add(sourceFile);
    const reading = await files.readText(path, sourceFile);
    if (reading === undefined || 'skipped' in reading) continue;
    if (saysTheSame(lessonWords(splitFrontmatter(reading.text).body), words)) return chunk;
  }
  return undefined;
}

/** As many as the search has candidates. */
const SIMILAR = { maxResults: MAX_RESULTS_RANGE.max };

/** A chunk may be one lesson or several. */
function wordingsOf({ heading = '', content }: Chunk): readonly LessonWords[] {
  return [`${heading} ${content}`, ...lessonsIn(content)].map(lessonWords);
}
