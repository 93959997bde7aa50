import type { Chunk } from '../../domain/chunks/chunk.js';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { lessonsIn } from '../../domain/lessons/category-text.js';
import { areSimilar, lessonWords } from '../../domain/lessons/lesson-similarity.js';
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
  /** Has the same text, except for white space. */
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
    ...chunks.flatMap((chunk) => wordingsOf(chunk).map((wording) => ({ ...chunk, wording }))),
    ...bodies.map((body) => ({ ...body, wording: body.body.replace(TITLE_SIGN, '') })),
  ];
  const own = lessonWords(text);
  const titled = bodies.find(({ body }) => hasTitle(body, title));
  const isThere = ({ sourceFile }: SourceText) => hasFile(options, project, sourceFile);
  const same = wordings.filter(({ wording }) => withoutSpace(wording) === withoutSpace(text));
  const similar = wordings.filter(({ wording }) => areSimilar(lessonWords(wording), own));
  return {
    same: await firstId(same, isThere),
    similar: await firstId(titled === undefined ? similar : [titled, ...similar], isThere),
  };
}

type SourceText = Pick<Chunk, 'id' | 'sourceFile'>;

/** A chunk whose file is gone is about to be removed. */
async function hasFile(
  { files }: ExistingTextDeps,
  { path }: Project,
  sourceFile: string,
): Promise<boolean> {
  return (await files.statOf(path, sourceFile)) !== undefined;
}

async function firstId(
  texts: readonly SourceText[],
  isWanted: (text: SourceText) => Promise<boolean>,
): Promise<string | undefined> {
  for (const text of texts) if (await isWanted(text)) return text.id;
  return undefined;
}

/** The same for texts that differ in white space alone. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Of the heading that a saved text begins with. */
const TITLE_SIGN = /^\s*#[ \t]/;

interface SavedBody extends SourceText {
  readonly body: string;
}

/** The saved files that the chunks are of, each with its best chunk. */
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
    bodies.push({ id, sourceFile, body: splitFrontmatter(reading.text).body });
  }
  return bodies;
}

/** As many as the search has candidates. */
const MOST_RESULTS = MAX_RESULTS_RANGE.max;

function wordingsOf({ heading = '', content }: Chunk): readonly string[] {
  return [`${heading} ${content}`, ...lessonsIn(content)];
}
