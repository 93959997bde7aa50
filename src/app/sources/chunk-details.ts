import { type Chunk, sourceOfId } from '../../domain/chunks/chunk.js';
import { SHOWN_NEIGHBOURS } from '../../domain/limits.js';
import { noteName } from '../../domain/saved/note-names.js';
import { listSupersessions, supersededBy } from '../../domain/saved/supersession.js';
import type { BodyOf } from '../../schemas/checks.js';
import type { chunkResponse } from '../../schemas/sources.js';
import type { Project } from '../project.js';
import { nearestHeadings } from './chunk-titles.js';
import { storedPath } from './source-lines.js';

/** A chunk with its questions, citations and neighbours. */
export interface ChunkDetails extends Omit<BodyOf<typeof chunkResponse>, 'chunk'> {
  readonly chunk: Chunk;
}

/**
 * Reads a chunk with its questions and neighbours. Accepts an id as displayed, without invisible characters. Undefined
 * if there is no such chunk. Does not count as a retrieval.
 */
export async function chunkDetails(
  project: Project,
  id: string,
): Promise<ChunkDetails | undefined> {
  const details = await readDetails(project, id);
  if (details !== undefined) return details;
  const path = await storedPath(project, sourceOfId(id));
  return path === undefined
    ? undefined
    : readDetails(project, path + id.slice(id.lastIndexOf('#')));
}

async function readDetails(project: Project, id: string): Promise<ChunkDetails | undefined> {
  const { chunks } = project.store;
  const [found] = await chunks.getChunks([id], 'questions');
  if (found === undefined) return undefined;
  const { questions = [], ...chunk } = found;
  const superseded = supersededBy(listSupersessions(await chunks.indexedSources('superseding')));
  const newer = superseded.get(chunk.sourceFile);
  return {
    chunk: { ...chunk, projectPath: project.path },
    questions,
    neighbours: await readNeighbours(project, chunk, [...superseded.keys()]),
    ...(newer !== undefined && { supersededBy: noteName(newer) }),
  };
}

async function readNeighbours(
  project: Project,
  { id }: Chunk,
  excludedSources: readonly string[],
): Promise<ChunkDetails['neighbours']> {
  const { store } = project;
  const filter = { sourceTypes: 'all', excludedSources } as const;
  const nearest = (await store.vectors.nearest(id, filter, SHOWN_NEIGHBOURS + 1))
    .filter(({ chunkId }) => chunkId !== id)
    .slice(0, SHOWN_NEIGHBOURS);
  const ids = nearest.map(({ chunkId }) => chunkId);
  const [chunks, titles] = await Promise.all([
    store.chunks.getChunks(ids),
    nearestHeadings(project, ids),
  ]);
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  return nearest.flatMap(({ chunkId, cosine }) => {
    const chunk = byId.get(chunkId);
    if (chunk === undefined) return [];
    const { sourceFile, heading } = chunk;
    const title = titles.get(chunkId);
    const named = {
      ...(heading !== undefined && { heading }),
      ...(title !== undefined && { title }),
    };
    return [{ id: chunkId, sourceFile, ...named, cosine }];
  });
}
