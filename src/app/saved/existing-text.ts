import type { Chunk } from '../../domain/chunks/chunk.js';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { readLessons } from '../../domain/lessons/category-text.js';
import { jaccardSimilarity, lessonWords } from '../../domain/lessons/lesson-similarity.js';
import { MAX_RESULTS_RANGE, MAX_TOKENS_RANGE, SIMILAR_TEXT_WORDS } from '../../domain/limits.js';
import { savedFileAt } from '../../domain/project-layout.js';
import { splitWords } from '../../domain/query/query.js';
import { hasTitle } from '../../domain/saved/note-text.js';
import { takeHead } from '../../domain/text.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import type { Search } from '../search/search.js';

export interface ExistingTextDeps {
  readonly search: Search;
  readonly files: ProjectFileReader;
  readonly appDirs: AppDirectories;
}

export interface SoughtText {
  readonly title: string;
  readonly content: string;
  /** Source files that do not count. */
  readonly except: readonly string[];
}

/** A known chunk and its similarity to a text. */
export interface KnownChunk {
  readonly chunk: Chunk;
  /** From 0 to 1. */
  readonly relevance: number;
}

interface ExistingText {
  /** A chunk with the same text, except for white space. */
  readonly same: KnownChunk | undefined;
  /** Chunks with many of the same words, or of a note with the same title. */
  readonly similar: readonly KnownChunk[];
}

/**
 * Finds out whether a text is already stored. A search finds chunks with similar content, which may hold one lesson or
 * several. Saved files are also compared as a whole, since each chunk is only a part.
 */
export async function findExistingText(
  options: ExistingTextDeps,
  project: Project,
  { title, content, except }: SoughtText,
): Promise<ExistingText> {
  const text = `${title} ${content}`;
  const { results } = await options.search.byText({
    ...{ projectPath: project.path, profile: 'specified', retrievals: 'uncounted' },
    query: splitWords(text).slice(0, SIMILAR_TEXT_WORDS).join(' '),
    ...{ excludedSources: except, maxResults: MOST_RESULTS, maxTokens: MAX_TOKENS_RANGE.max },
  });
  const chunks = await withFiles(
    options,
    project,
    results.map(({ chunk }) => chunk),
  );
  const bodies = await savedBodies(options, project, chunks);
  const wordings = [
    ...chunks.flatMap((chunk) => listWordings(chunk).map((wording) => ({ chunk, wording }))),
    ...bodies.map(({ chunk, body }) => ({ chunk, wording: body.replace(TITLE_SIGN, '') })),
  ];
  const own = comparedWords(text);
  const unspaced = withoutSpace(text);
  const same = wordings.find(({ wording }) => withoutSpace(wording) === unspaced);
  const titled = bodies.filter(({ body }) => hasTitle(body, title));
  return {
    same: same && { chunk: same.chunk, relevance: 1 },
    similar: [
      ...titled.map(({ chunk }) => ({ chunk, relevance: SIMILAR_FROM })),
      ...wordings.map(({ chunk, wording }) => ({
        chunk,
        relevance: jaccardSimilarity(comparedWords(wording), own),
      })),
    ],
  };
}

/** Words of the beginning of a text, because comparing several long texts as a whole takes too long. */
function comparedWords(text: string): ReadonlySet<string> {
  return lessonWords(takeHead(text, COMPARED_CHARACTERS)).all;
}

const COMPARED_CHARACTERS = 20_000;

/** The relevance from which a known chunk is reported to the writer of a note. */
export const SIMILAR_FROM = 0.7;

/** Leaves out chunks whose file is gone, which are about to be removed. */
async function withFiles(
  { files }: ExistingTextDeps,
  { path }: Project,
  chunks: readonly Chunk[],
): Promise<readonly Chunk[]> {
  const there = new Map<string, boolean>();
  for (const { sourceFile } of chunks) {
    if (there.has(sourceFile)) continue;
    there.set(sourceFile, (await files.statOf(path, sourceFile)) !== undefined);
  }
  return chunks.filter(({ sourceFile }) => there.get(sourceFile));
}

/** Equal for texts that differ only in white space. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The marker of the heading that begins a saved text. */
const TITLE_SIGN = /^\s*#[ \t]/;

interface SavedBody {
  /** The best chunk of its file. */
  readonly chunk: Chunk;
  readonly body: string;
}

/** The saved files of the chunks, each with its best chunk. */
async function savedBodies(
  { files, appDirs }: ExistingTextDeps,
  { path }: Project,
  chunks: readonly Chunk[],
): Promise<readonly SavedBody[]> {
  const appDir = appDirs.of(path);
  const best = new Map(chunks.toReversed().map((chunk) => [chunk.sourceFile, chunk]));
  const bodies: SavedBody[] = [];
  for (const [sourceFile, chunk] of best) {
    if (!savedFileAt(appDir, sourceFile)) continue;
    const reading = await files.readText(path, sourceFile);
    if (reading === undefined || 'skipped' in reading) continue;
    bodies.push({ chunk, body: splitFrontmatter(reading.text).body });
  }
  return bodies;
}

/** As many results as the search has candidates. */
const MOST_RESULTS = MAX_RESULTS_RANGE.max;

function listWordings({ heading = '', content }: Chunk): readonly string[] {
  return [`${heading} ${content}`, ...readLessons(content)];
}
