import type { Chunk } from '../../domain/chunks/chunk.js';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { lessonsIn } from '../../domain/lessons/category-text.js';
import {
  areSimilar,
  type LessonWords,
  lessonWords,
} from '../../domain/lessons/lesson-similarity.js';
import { MAX_RESULTS_RANGE } from '../../domain/limits.js';
import { savedFileAt } from '../../domain/project-layout.js';
import { hasTitle } from '../../domain/saved/note-text.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Project } from '../projects/project.js';
import type { Search } from '../search/search.js';

export interface ExistingTextDeps {
  readonly search: Search;
  readonly files: ProjectFileReader;
  readonly appDirs: AppDirectories;
}

interface SoughtText {
  readonly title: string;
  readonly content: string;
  /** A source file that does not count. */
  readonly except?: string | undefined;
}

/** Ids of chunks. */
interface ExistingText {
  /** Has the same words in the same order. */
  readonly same?: string | undefined;
  /** Has nearly the same words, or is of a note with the same title. */
  readonly similar?: string | undefined;
}

/**
 * What is known of a text. A search says which chunks hold something like it; a chunk may be one lesson or several. A saved
 * file is also compared as a whole, since each of its chunks says a part.
 */
export async function findExistingText(
  options: ExistingTextDeps,
  project: Project,
  { title, content, except }: SoughtText,
): Promise<ExistingText> {
  const text = `${title} ${content}`;
  const { results } = await options.search.similar({
    ...{ projectPath: project.path, text, maxResults: MOST_RESULTS },
    ...(except !== undefined && { sourceFile: except }),
  });
  const chunks = results.map(({ chunk }) => chunk);
  const bodies = await savedBodies(options, project, chunks);
  const wordings = [
    ...chunks.flatMap((chunk) => wordingsOf(chunk).map((words) => ({ id: chunk.id, words }))),
    ...bodies.map(({ id, body }) => ({ id, words: lessonWords(body) })),
  ];
  const own = lessonWords(text);
  const titled = bodies.find(({ body }) => hasTitle(body, title));
  return {
    same: wordings.find(({ words }) => words.text === own.text)?.id,
    similar: (titled ?? wordings.find(({ words }) => areSimilar(words, own)))?.id,
  };
}

interface SavedBody {
  /** Of the best chunk of the file. */
  readonly id: string;
  readonly body: string;
}

async function savedBodies(
  { files, appDirs }: ExistingTextDeps,
  { path }: Project,
  chunks: readonly Chunk[],
): Promise<readonly SavedBody[]> {
  const appDir = appDirs.of(path);
  const best = new Map(chunks.toReversed().map(({ sourceFile, id }) => [sourceFile, id]));
  const bodies: SavedBody[] = [];
  for (const [sourceFile, id] of best) {
    if (!savedFileAt(appDir, sourceFile)) continue;
    const reading = await files.readText(path, sourceFile);
    if (reading === undefined || 'skipped' in reading) continue;
    bodies.push({ id, body: splitFrontmatter(reading.text).body });
  }
  return bodies;
}

/** As many as the search has candidates. */
const MOST_RESULTS = MAX_RESULTS_RANGE.max;

function wordingsOf({ heading = '', content }: Chunk): readonly LessonWords[] {
  return [`${heading} ${content}`, ...lessonsIn(content)].map(lessonWords);
}
