import { type Chunk, chunkId } from '../../domain/chunks/chunk.js';
import { lineOfChunk } from '../../domain/chunks/chunk-place.js';
import { KnowledgeError } from '../../domain/errors.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { LineRange, SourceLines } from '../../ports/driving/sources-service.js';
import type { Project } from '../projects/project.js';

/** Where chunks begin in their files, in the order of the ids; each file is read once. */
export async function linesOfChunks(
  files: Pick<ProjectFileReader, 'readText'>,
  project: Project,
  ids: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const chunks = new Map((await project.store.chunks.getChunks(ids)).map((one) => [one.id, one]));
  const texts = new Map<string, Promise<string | undefined>>();
  const lineOf = async (chunk: Chunk | undefined) => {
    if (chunk === undefined) return undefined;
    const { sourceFile } = chunk;
    const reading = texts.get(sourceFile) ?? textOf(files, project, sourceFile);
    texts.set(sourceFile, reading);
    const text = await reading;
    return text === undefined ? undefined : lineOfChunk(text, chunk);
  };
  return Promise.all(ids.map((id) => lineOf(chunks.get(id))));
}

/** Some lines of the text of a source. */
export function linesIn(
  text: string,
  sourceFile: string,
  { from = 1, to = Number.POSITIVE_INFINITY }: LineRange,
): SourceLines {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  if (from > lines.length) {
    throw new KnowledgeError('not_found', `There are only ${lines.length} lines in ${sourceFile}.`);
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

/** Undefined if there is no file that may be read. */
export async function textOf(
  files: Pick<ProjectFileReader, 'readText'>,
  { path }: Project,
  sourceFile: string,
): Promise<string | undefined> {
  const reading = await files.readText(path, sourceFile);
  return reading === undefined || 'skipped' in reading ? undefined : reading.text;
}

/** What a source says, of which only the index has the text. */
export async function textOfChunks({ store }: Project, sourceFile: string): Promise<string> {
  const ids = Array.from({ length: READ_CHUNKS_MAX }, (_, place) => chunkId(sourceFile, place));
  return (await store.chunks.getChunks(ids))
    .map(({ heading, content }) => (heading === undefined ? content : `## ${heading}\n${content}`))
    .join('\n\n');
}

/** More than anybody reads at once. */
const READ_CHUNKS_MAX = 500;
