import type { Chunk } from '../../domain/chunks/chunk.js';
import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { readLessons } from '../../domain/lessons/category-text.js';
import { jaccardSimilarity, lessonWords } from '../../domain/lessons/lesson-similarity.js';
import { SIMILAR_TEXT_WORDS } from '../../domain/limits.js';
import { savedFileAt } from '../../domain/project-layout.js';
import { anyInformativeWord, splitWords } from '../../domain/query/query.js';
import { hasTitle } from '../../domain/saved/note-text.js';
import { takeHead } from '../../domain/text.js';
import type { Clock } from '../../ports/clock.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import { hiddenSources } from '../search/filters.js';

export interface ExistingTextDeps {
  readonly files: ProjectFileReader;
  readonly appDirs: AppDirectories;
  readonly clock: Clock;
}

interface WrittenText {
  readonly title: string;
  readonly content: string;
}

export interface SoughtText extends WrittenText {
  /** Source files that the text may repeat, such as the note that it supersedes. */
  readonly except: readonly string[];
}

/** A known chunk and its similarity to a text. */
export interface KnownChunk {
  readonly chunk: Chunk;
  /** From 0 to 1. */
  readonly relevance: number;
}

/** The chunks that share words with a text. */
export interface Candidates {
  readonly wordings: readonly Wording[];
  /** The saved files that contain these chunks. */
  readonly bodies: readonly SavedBody[];
}

/** A text that a note may repeat: the whole text of a chunk, one lesson in it, or the whole text of a saved file. */
interface Wording {
  readonly chunk: Chunk;
  readonly text: string;
}

/** Finds chunks that may say the same as a text, by their words. Superseded and expired notes do not count. */
export async function findCandidates(
  options: ExistingTextDeps,
  project: OpenProject,
  text: SoughtText,
): Promise<Candidates> {
  const chunks = await withFiles(options, project, await chunksInCommon(options, project, text));
  const bodies = await savedBodies(options, project, chunks);
  return {
    bodies,
    wordings: [
      ...chunks.flatMap((chunk) => listWordings(chunk).map((text) => ({ chunk, text }))),
      ...bodies.map(({ chunk, body }) => ({ chunk, text: body.replace(TITLE_SIGN, '') })),
    ],
  };
}

/** Returns the chunk with the same text; differences in white space are ignored. */
export function findSame(text: WrittenText, { wordings }: Candidates): Chunk | undefined {
  const own = withoutSpace(wholeText(text));
  return wordings.find((wording) => withoutSpace(wording.text) === own)?.chunk;
}

/**
 * Rates the candidates by the words that they share with a text. A saved file with the same title always counts as
 * similar.
 */
export function findSimilar(text: SoughtText, { wordings, bodies }: Candidates): KnownChunk[] {
  const own = comparedWords(wholeText(text));
  const titled = bodies.filter(({ body }) => hasTitle(body, text.title));
  return [
    ...titled.map(({ chunk }) => ({ chunk, relevance: SIMILAR_FROM })),
    ...wordings.map((wording) => ({
      chunk: wording.chunk,
      relevance: jaccardSimilarity(comparedWords(wording.text), own),
    })),
  ];
}

function wholeText({ title, content }: WrittenText): string {
  return `${title} ${content}`;
}

/**
 * Finds chunks that share words with a text. If this process checks files before searches, checks them now, so that a
 * text added by hand is found. Also starts the first indexing.
 */
async function chunksInCommon(
  { clock }: ExistingTextDeps,
  project: OpenProject,
  { except, ...text }: SoughtText,
): Promise<readonly Chunk[]> {
  await project.prepareSearch();
  await project.beginIndexing();
  const words = splitWords(wholeText(text)).slice(0, SIMILAR_TEXT_WORDS);
  const expression = anyInformativeWord(words);
  if (expression === undefined) return [];
  const hidden = await hiddenSources(project, { now: clock.now() });
  const hits = await project.store.keywords.search({
    expression,
    filter: { sourceTypes: 'all', tags: [], excludedSources: [...except, ...hidden] },
    limit: CANDIDATES_MAX,
  });
  return hits.map(({ chunk }) => chunk);
}

const CANDIDATES_MAX = 100;

/** Returns the words at the beginning of a text, because comparing several long texts as a whole takes too long. */
function comparedWords(text: string): ReadonlySet<string> {
  return lessonWords(takeHead(text, COMPARED_CHARACTERS)).all;
}

const COMPARED_CHARACTERS = 20_000;

/** Known chunks with at least this relevance are reported to the writer of a note. */
export const SIMILAR_FROM = 0.7;

/** Leaves out chunks whose file is gone: the next ingestion removes them. */
async function withFiles(
  { files }: Pick<ExistingTextDeps, 'files'>,
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

/** Makes texts equal that differ only in white space. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The marker of the heading that begins a saved text. */
const TITLE_SIGN = /^\s*#[ \t]/;

interface SavedBody {
  /** The chunk of the file that matches best. */
  readonly chunk: Chunk;
  readonly body: string;
}

/** Reads the saved files that contain the chunks; pairs each with its best chunk. */
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

function listWordings({ heading = '', content }: Chunk): readonly string[] {
  return [`${heading} ${content}`, ...readLessons(content)];
}
