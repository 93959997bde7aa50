import { embeddingText } from '../../domain/chunks/chunk.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { EmbeddableText, EmbeddableTexts } from '../../ports/driven/embeddable-texts.js';
import { type ProjectTables, passes, type Row } from './project-tables.js';

/** The texts of one kind that are embedded for a chunk; empty if it has no such text. */
export type TextsOf = (row: Row) => readonly string[];

export const contentTexts: TextsOf = ({ chunk }) => [embeddingText(chunk)];

export const questionTexts: TextsOf = ({ questions = [] }) => questions;

/** The texts of one kind, read from the chunks. */
export class InMemoryEmbeddableTexts implements EmbeddableTexts {
  readonly #tables: ProjectTables;
  readonly #textsOf: TextsOf;

  constructor(tables: ProjectTables, textsOf: TextsOf) {
    this.#tables = tables;
    this.#textsOf = textsOf;
  }

  async of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]> {
    return this.#embeddable(this.#tables.rowsOf(chunkIds));
  }

  async newest(limit: number, offset: number): Promise<readonly EmbeddableText[]> {
    return this.#embeddable(this.#tables.newestRows()).slice(offset, offset + limit);
  }

  async matching(chunkIds: readonly string[], filter: ChunkFilter): Promise<ReadonlySet<string>> {
    const rows = this.#tables.rowsOf(chunkIds).filter(({ chunk }) => passes(filter, chunk));
    return new Set(rows.map(({ chunk }) => chunk.id));
  }

  async countChunks(): Promise<number> {
    return this.#tables.count();
  }

  #embeddable(rows: readonly Row[]): readonly EmbeddableText[] {
    return rows
      .map((row) => ({ chunkId: row.chunk.id, texts: this.#textsOf(row) }))
      .filter(({ texts }) => texts.length > 0);
  }
}
