import type { Expression } from '../../domain/query/expression.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../ports/driven/keyword-index.js';
import { searchTexts } from './full-text-search.js';
import { type ProjectTables, passes } from './project-tables.js';

/** Scans every chunk for every query; only the tokens of each chunk are cached. */
export class InMemoryKeywordIndex implements KeywordIndex {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  async search(
    expression: Expression,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly ScoredChunk[]> {
    return this.#hits(expression)
      .filter(({ text }) => passes(filter, text))
      .toSorted((a, b) => b.relevance - a.relevance || b.text.importance - a.text.importance)
      .slice(0, limit)
      .map(({ text, relevance }) => ({ chunk: text, score: relevance, bm25: relevance }));
  }

  async score(
    expression: Expression,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const wanted = new Set(chunkIds);
    const hits = this.#hits(expression).filter(({ text }) => wanted.has(text.id));
    return new Map(hits.map(({ text, relevance }) => [text.id, relevance]));
  }

  async rebuild(): Promise<void> {}

  async suspend(): Promise<boolean> {
    return false;
  }

  #hits(expression: Expression) {
    const chunks = this.#tables.rows().map(({ chunk }) => chunk);
    return searchTexts(chunks, expression);
  }
}
