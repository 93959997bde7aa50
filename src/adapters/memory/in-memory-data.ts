import { embeddingText } from '../../domain/chunks/chunk.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { EmbeddableText, EmbeddableTexts } from '../../ports/driven/embeddable-texts.js';
import { InMemoryVectorIndex } from './in-memory-vector-index.js';
import { ProjectTables, passes, type Row } from './project-tables.js';

/** The data of stores in memory. Several stores can share it, as processes share a disk. */
export class InMemoryData {
  readonly #projects = new Map<string, ProjectData>();

  of(projectPath: string): ProjectData {
    const known = this.#projects.get(projectPath) ?? new ProjectData();
    this.#projects.set(projectPath, known);
    return known;
  }

  has(projectPath: string): boolean {
    return this.#projects.has(projectPath);
  }
}

/** The data of one project. */
export class ProjectData {
  readonly tables = new ProjectTables();
  readonly content = new InMemoryEmbeddableTexts(this.tables, contentTexts);
  readonly questions = new InMemoryEmbeddableTexts(this.tables, questionTexts);
  readonly #vectors = new Map<string, ModelVectors>();

  /** The vectors of one model; each model has its own. */
  vectorsOf({ model, dimensions }: ModelShape): ModelVectors {
    const known = this.#vectors.get(model) ?? {
      content: new InMemoryVectorIndex(this.content, dimensions),
      questions: new InMemoryVectorIndex(this.questions, dimensions),
    };
    this.#vectors.set(model, known);
    return known;
  }

  /** Tells all vectors of chunks that have other ids now, by their former ones. */
  renameVectors(ids: ReadonlyMap<string, string>): void {
    for (const { content, questions } of this.#vectors.values()) {
      content.rename(ids);
      questions.rename(ids);
    }
  }
}

interface ModelShape {
  readonly model: string;
  readonly dimensions: number;
}

interface ModelVectors {
  readonly content: InMemoryVectorIndex;
  readonly questions: InMemoryVectorIndex;
}

/** The texts of one kind that are embedded for a chunk; empty if it has no such text. */
type TextsOf = (row: Row) => readonly string[];

const contentTexts: TextsOf = ({ chunk }) => [embeddingText(chunk)];

const questionTexts: TextsOf = ({ questions = [] }) => questions;

/** The texts of one kind, read from the chunks. */
class InMemoryEmbeddableTexts implements EmbeddableTexts {
  readonly #tables: ProjectTables;
  readonly #textsOf: TextsOf;

  constructor(tables: ProjectTables, textsOf: TextsOf) {
    this.#tables = tables;
    this.#textsOf = textsOf;
  }

  async of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]> {
    return this.#embeddable(this.#tables.rowsOf(chunkIds));
  }

  async all(): Promise<readonly EmbeddableText[]> {
    return this.#embeddable(this.#tables.newestRows());
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
