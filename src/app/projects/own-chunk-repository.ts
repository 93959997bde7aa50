import type { Chunk } from '../../domain/chunks/chunk.js';
import type { ContentStats } from '../../domain/overview/stats.js';
import type { ChunkRepository, FoundChunk, WordQuery } from '../../ports/chunk-repository.js';
import type { ProjectStore, ProjectStores } from '../../ports/project-stores.js';

/** A chunk repository over the service's own stores. */
export class OwnChunkRepository implements ChunkRepository {
  readonly #stores: () => ProjectStores;

  constructor(stores: () => ProjectStores) {
    this.#stores = stores;
  }

  async replaceChunks(projectPath: string, sourceFile: string, chunks: readonly Chunk[]) {
    const store = await this.#open(projectPath);
    const [first] = chunks;
    const contentHash = JSON.stringify(chunks.map(({ heading, content }) => [heading, content]));
    const document = first && { sourceType: first.sourceType, sourceFile, contentHash, chunks };
    await store.chunks.replaceSources([{ sourceFile, document, unchanged: 'restore' }]);
  }

  async deleteChunks(projectPath: string, ids: readonly string[]) {
    const store = await this.#open(projectPath);
    await store.chunks.deleteChunks(ids);
  }

  async getChunks(projectPath: string, ids: readonly string[]): Promise<readonly Chunk[]> {
    return (await this.#open(projectPath)).chunks.getChunks(ids);
  }

  async searchChunks(
    projectPath: string,
    { expression, limit }: WordQuery,
  ): Promise<readonly FoundChunk[]> {
    const { keywords } = await this.#open(projectPath);
    return keywords.search({ expression, filter: { sourceTypes: 'all' }, limit });
  }

  async countRetrievals(projectPath: string, ids: readonly string[], at: Date) {
    await (await this.#open(projectPath)).chunks.record(ids, at);
  }

  async getStats(projectPath: string): Promise<ContentStats> {
    return (await this.#open(projectPath)).chunks.stats();
  }

  #open(projectPath: string): Promise<ProjectStore> {
    return this.#stores().open(projectPath);
  }
}
