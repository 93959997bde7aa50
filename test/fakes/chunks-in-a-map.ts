import type { Chunk } from '../../src/domain/chunks/chunk.js';
import type { ContentStats } from '../../src/domain/overview/stats.js';
import type { ChunkRepository, WordQuery } from '../../src/ports/chunk-repository.js';

/** Chunks in a map; a chunk scores by how many of the words it contains. */
export class ChunksInAMap implements ChunkRepository {
  /** By project and id. */
  readonly chunks = new Map<string, Chunk>();
  readonly retrieved: string[] = [];
  /** What the next replacements throw. */
  failure: Error | undefined;

  async replaceChunks(project: string, sourceFile: string, chunks: readonly Chunk[]) {
    if (this.failure !== undefined) throw this.failure;
    const former = this.#in(project).filter((chunk) => chunk.sourceFile === sourceFile);
    for (const { id } of former) this.chunks.delete(key(project, id));
    for (const chunk of chunks) this.chunks.set(key(project, chunk.id), chunk);
  }

  async deleteChunks(project: string, ids: readonly string[]) {
    for (const id of ids) this.chunks.delete(key(project, id));
  }

  async getChunks(project: string, ids: readonly string[]) {
    return ids.flatMap((id) => this.chunks.get(key(project, id)) ?? []);
  }

  async searchChunks(project: string, { words, limit }: WordQuery) {
    return this.#in(project)
      .map((chunk) => ({ chunk, score: countWords(chunk, words) }))
      .filter(({ score }) => score > 0)
      .slice(0, limit);
  }

  async countRetrievals(_: string, ids: readonly string[]) {
    this.retrieved.push(...ids);
  }

  async getStats(project: string): Promise<ContentStats> {
    const chunks = this.#in(project);
    const counts = { file: 0, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 };
    for (const { sourceType } of chunks) counts[sourceType] += 1;
    const uniqueSources = new Set(chunks.map(({ sourceFile }) => sourceFile)).size;
    return { totalChunks: chunks.length, uniqueSources, sourceTypeBreakdown: counts, sizeBytes: 0 };
  }

  #in(project: string): readonly Chunk[] {
    const begin = key(project, '');
    return [...this.chunks].flatMap(([name, chunk]) => (name.startsWith(begin) ? [chunk] : []));
  }
}

function key(project: string, id: string): string {
  return `${project}\n${id}`;
}

function countWords({ heading = '', content }: Chunk, words: readonly string[]): number {
  const text = `${heading} ${content}`.toLowerCase();
  return words.filter((word) => text.includes(word.toLowerCase())).length;
}
