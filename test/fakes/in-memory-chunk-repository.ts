import { embeddingText, type SourceDocument } from '../../src/domain/chunks/chunk.js';
import type { StoreStats } from '../../src/domain/stats.js';
import type {
  ChunkFilter,
  ChunkRepository,
  QuestionlessChunk,
  ReplaceOutcome,
  StaleChunk,
} from '../../src/ports/driven/chunk-repository.js';
import type { Clock } from '../../src/ports/driven/clock.js';
import type { Row, Tables } from './in-memory-disk.js';
import { removeSource, writeSource } from './in-memory-replacing.js';
import { byNewest, isUsable, passes } from './in-memory-rows.js';
import { naiveSearch } from './naive-fts.js';

export interface RepositoryContext {
  readonly projectPath: string;
  readonly clock: Clock;
  /** Vectors of other models do not exist. */
  readonly model: string;
}

/** A {@link ChunkRepository} on {@link Tables}. */
export class InMemoryChunkRepository implements ChunkRepository {
  readonly #tables: Tables;
  readonly #context: RepositoryContext;

  constructor(tables: Tables, context: RepositoryContext) {
    this.#tables = tables;
    this.#context = context;
  }

  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
  ): Promise<ReplaceOutcome> {
    const tables = this.#tables;
    return tables.write(async () => {
      const document = await read();
      if (document === undefined) {
        removeSource(tables, sourceFile);
        return 'gone';
      }
      if (tables.sources.get(sourceFile)?.contentHash === document.contentHash) return 'unchanged';
      const { projectPath, clock } = this.#context;
      writeSource(tables, { document, projectPath, now: clock.now().toISOString() });
      return 'indexed';
    });
  }

  async indexedSources() {
    const { sources, rows } = this.#tables;
    const held = (sourceFile: string) =>
      rows.filter((row) => row.owned && row.chunk.sourceFile === sourceFile).length;
    return [...sources.values()].map((source) => ({
      ...source,
      chunkCount: held(source.sourceFile),
    }));
  }

  async searchKeyword(
    expression: Parameters<ChunkRepository['searchKeyword']>[0],
    filter: ChunkFilter,
    limit: number,
  ) {
    const chunks = this.#tables.rows.map((row) => row.chunk);
    return naiveSearch(chunks, expression)
      .filter(({ text }) => passes(filter, text))
      .slice(0, limit)
      .map(({ text, score }) => ({ chunk: text, score }));
  }

  async scoreKeyword(
    expression: Parameters<ChunkRepository['scoreKeyword']>[0],
    chunkIds: readonly string[],
  ) {
    const chunks = this.#tables.rows.map((row) => row.chunk);
    const hits = naiveSearch(chunks, expression).filter(({ text }) => chunkIds.includes(text.id));
    return new Map(hits.map(({ text, score }) => [text.id, score]));
  }

  async getChunks(ids: readonly string[]) {
    return this.#rowsOf(ids).map((row) => row.chunk);
  }

  async markRetrieved(ids: readonly string[], at: Date): Promise<void> {
    for (const row of this.#rowsOf(ids)) {
      const retrievalCount = row.retrievalCount + 1;
      this.#tables.put({ ...row, retrievalCount, lastRetrievedAt: at.toISOString() });
    }
  }

  async findNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]> {
    return this.#stale(before).map(({ chunk, lastRetrievedAt }) => ({
      id: chunk.id,
      sourceFile: chunk.sourceFile,
      unusedSince: lastRetrievedAt ?? chunk.createdAt,
    }));
  }

  async deleteNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]> {
    return this.#tables.write(async () => {
      const found = await this.findNeverRetrievedBefore(before);
      this.#tables.delete(this.#stale(before));
      return found;
    });
  }

  async findWithoutQuestions(limit: number): Promise<readonly QuestionlessChunk[]> {
    return this.#tables.rows
      .filter((row) => isUsable(row.vector, this.#context.model) && row.questions === undefined)
      .toSorted(byNewest)
      .slice(0, limit)
      .map(({ chunk }) => ({ id: chunk.id, text: embeddingText(chunk) }));
  }

  async saveQuestions(
    { id, text }: QuestionlessChunk,
    questions: readonly string[],
  ): Promise<void> {
    const row = this.#tables.row(id);
    if (row === undefined || embeddingText(row.chunk) !== text) return;
    this.#tables.put({ ...row, questions, questionVector: undefined });
  }

  async rebuildIndex(): Promise<void> {}

  async stats(): Promise<StoreStats> {
    const chunks = this.#tables.rows.map((row) => row.chunk);
    const count = (sourceType: string) =>
      chunks.filter((chunk) => chunk.sourceType === sourceType).length;
    const lastUpdated = chunks
      .map((chunk) => chunk.updatedAt)
      .toSorted()
      .at(-1);
    return {
      totalChunks: chunks.length,
      totalSizeBytes: JSON.stringify(chunks).length,
      uniqueSources: new Set(chunks.map((chunk) => chunk.sourceFile)).size,
      sourceTypeBreakdown: {
        file: count('file'),
        reflection: count('reflection'),
        agent_output: count('agent_output'),
        url: count('url'),
        manual: count('manual'),
        generated: count('generated'),
      },
      ...(lastUpdated !== undefined && { lastUpdated }),
      dbPath: `${this.#context.projectPath}/.knowledge/knowledge.db`,
    };
  }

  #rowsOf(ids: readonly string[]): readonly Row[] {
    return ids.flatMap((id) => this.#tables.row(id) ?? []);
  }

  #stale(before: Date): readonly Row[] {
    return this.#tables.rows.filter(
      ({ chunk, retrievalCount, lastRetrievedAt }) =>
        retrievalCount === 0 && Date.parse(lastRetrievedAt ?? chunk.createdAt) <= before.getTime(),
    );
  }
}
