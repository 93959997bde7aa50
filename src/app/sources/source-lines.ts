import { chunkId } from '../../domain/chunks/chunk.js';
import { withLines } from '../../domain/citations/written-place.js';
import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import { formatCount } from '../../domain/figures.js';
import { oneLine } from '../../domain/lessons/lesson-text.js';
import { pathsMeant } from '../../domain/paths.js';
import { savedPath } from '../../domain/project-layout.js';
import { noteNames } from '../../domain/saved/note-names.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { LinesRequest, SourceLines } from '../../schemas/sources.js';
import type { Project } from '../project.js';

/**
 * Splits off the lines after a path, as in `path:12-20`, `path#L12-L20` or `path(12,5)`. A single line stands for
 * `LINES_FROM_PLACE` lines from there.
 */
export function parsePlace(sourceFile: string) {
  const [, path, first, last] = PLACE.exec(sourceFile) ?? [];
  if (path !== undefined && first !== undefined) {
    return { path, ...linesFrom(Number(first), last === undefined ? undefined : Number(last)) };
  }
  const { path: file, lines } = withLines(sourceFile);
  if (lines === undefined) return { path: sourceFile };
  const { from, to } = lines;
  return { path: file, ...linesFrom(from, to === from ? undefined : to) };
}

/** A column after the line number is ignored. */
const PLACE = /^(.+?)(?::|#L)(\d{1,8})(?::\d{1,8})?(?:-L?(\d{1,8}))?$/s;

function linesFrom(first: number, last: number | undefined) {
  const from = Math.max(1, first);
  return { from, to: last ?? from + LINES_FROM_PLACE - 1 };
}

const LINES_FROM_PLACE = 40;

interface Lines extends Pick<LinesRequest, 'from' | 'to'> {
  readonly file: string;
}

/** Returns some lines of a source's text, counted from 1, both ends included. */
export function cutLines(
  text: string,
  { file: sourceFile, from = 1, to = Number.POSITIVE_INFINITY }: Lines,
): SourceLines {
  if (to < from)
    throw invalidRequest('Lines are numbered from 1, and the last must not be before the first.');
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  if (from > lines.length) {
    throw new KnowledgeError(
      'not_found',
      `The source ${sourceFile} has only ${formatCount(lines.length, 'line')}.`,
    );
  }
  const shown = lines.slice(from - 1, to);
  return {
    sourceFile,
    from,
    to: from + shown.length - 1,
    lines: lines.length,
    text: shown.join('\n'),
  };
}

/** The stored path of a source. Accepts the path as displayed (without invisible characters) or in another spelling. */
export async function storedPath(
  { path: root, store }: Project,
  shown: string,
): Promise<string | undefined> {
  const indexed = (await store.chunks.indexedSources()).map(({ sourceFile }) => sourceFile);
  const meant = pathsMeant(shown, root);
  const amongIndexed = meant.find((path) => indexed.includes(path));
  if (amongIndexed !== undefined) return amongIndexed;
  const entries = await store.chunks.entries();
  const paths = [...indexed, ...entries.map(({ sourceFile }) => sourceFile)];
  const visible = new Set(meant.map((path) => oneLine(path)));
  return (
    meant.find((path) => paths.includes(path)) ?? paths.find((path) => visible.has(oneLine(path)))
  );
}

/** The stored path of the note with this id; undefined if there is none. */
export async function noteNamed(
  project: Project,
  appDir: string,
  id: string,
): Promise<string | undefined> {
  const name = noteNames(id).at(-1);
  return name && storedPath(project, savedPath(appDir, { sourceType: 'manual', name }));
}

/** The indexed source with the same text as a file, such as a link to it; undefined if there is none. */
export async function sourceWithText(
  files: Pick<ProjectFileReader, 'readText'>,
  { path: root, store }: Project,
  shown: string,
): Promise<string | undefined> {
  const [file = shown] = pathsMeant(shown, root).slice(1);
  if (file === '') return undefined;
  const reading = await files.readText(root, file);
  if (reading === undefined || 'skipped' in reading) return undefined;
  const sources = await store.chunks.indexedSources();
  return sources.find(({ contentHash }) => contentHash.endsWith(reading.hash))?.sourceFile;
}

/** Reads the text of a source; undefined if there is no readable file. */
export async function readText(
  files: Pick<ProjectFileReader, 'readText'>,
  { path }: Project,
  sourceFile: string,
): Promise<string | undefined> {
  const reading = await files.readText(path, sourceFile);
  return reading === undefined || 'skipped' in reading ? undefined : reading.text;
}

/** Assembles the text of a source without a file from its chunks. */
export async function textOfChunks({ store }: Project, sourceFile: string): Promise<string> {
  const ids = Array.from({ length: READ_CHUNKS_MAX }, (_, place) => chunkId(sourceFile, place));
  return (await store.chunks.getChunks(ids))
    .map(({ heading, content }) => (heading === undefined ? content : `## ${heading}\n${content}`))
    .join('\n\n');
}

/** More chunks than anybody reads at once. */
const READ_CHUNKS_MAX = 500;
