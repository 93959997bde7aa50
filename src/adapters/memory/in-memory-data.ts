import {
  contentTexts,
  InMemoryEmbeddableTexts,
  questionTexts,
} from './in-memory-embeddable-texts.js';
import { InMemoryVectorIndex } from './in-memory-vector-index.js';
import { ProjectTables } from './project-tables.js';

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

export interface ModelShape {
  readonly model: string;
  readonly dimensions: number;
}

export interface ModelVectors {
  readonly content: InMemoryVectorIndex;
  readonly questions: InMemoryVectorIndex;
}
