import { LISTED_ENTRIES } from '../../domain/limits.js';
import { type ChunkList, listChunks } from '../../domain/overview/chunk-list.js';
import type { ChunkListRequest } from '../../schemas/overview.js';
import type { Projects } from '../projects/projects.js';
import { nearestHeadings } from '../sources/chunk-titles.js';

interface ChunkListsDeps {
  readonly projects: Pick<Projects, 'find'>;
}

/** Lists the chunks of a project for people. Creates no store; without one, the list is empty. */
export class ChunkLists {
  readonly #deps: ChunkListsDeps;

  constructor(deps: ChunkListsDeps) {
    this.#deps = deps;
  }

  /** Returns one page of the chunks in the requested order, without their texts. Does not count as a retrieval. */
  async list({ projectPath, ...wanted }: ChunkListRequest): Promise<ChunkList> {
    const { order = 'source', limit = LISTED_ENTRIES, offset = 0, ...only } = wanted;
    const project = await this.#deps.projects.find(projectPath);
    const query = { order, limit, offset, ...only };
    const { total, chunks } = listChunks((await project?.store.chunks.entries()) ?? [], query);
    if (project === undefined) return { total, chunks };
    const titles = await nearestHeadings(
      project,
      chunks.map(({ id }) => id),
    );
    return { total, chunks: chunks.map((chunk) => withTitle(chunk, titles)) };
  }
}

type ListedChunk = ChunkList['chunks'][number];

function withTitle(chunk: ListedChunk, titles: ReadonlyMap<string, string>): ListedChunk {
  const title = titles.get(chunk.id);
  return title === undefined ? chunk : { ...chunk, title };
}
