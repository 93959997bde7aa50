import { embeddingText } from '../../domain/chunks/chunk.js';
import { KnowledgeError } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { ProjectStore, ProjectStores } from '../../ports/driven/project-stores.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../ports/driven/question-store.js';
import type { RetrievalLog, StaleChunk } from '../../ports/driven/retrieval-log.js';
import { InMemoryChunkListing } from './in-memory-chunk-listing.js';
import { InMemoryChunkRepository } from './in-memory-chunk-repository.js';
import { InMemoryCitations } from './in-memory-citations.js';
import { InMemoryData } from './in-memory-data.js';
import { InMemoryKeywordIndex } from './in-memory-keyword-index.js';
import { InMemoryLeases } from './in-memory-leases.js';
import type { ProjectTables, Row } from './project-tables.js';

export interface InMemoryStoresOptions {
  /** The embedding model; vectors of other models are ignored. */
  readonly model: string;
  /** Number of values of a vector of that model. */
  readonly dimensions: number;
  readonly clock?: Pick<Clock, 'now'>;
  /** Existing data; several stores can share it, as processes share a disk. */
  readonly data?: InMemoryData;
}

/** Keeps every project in the memory of the process; writes no file. */
export class InMemoryProjectStores implements ProjectStores {
  readonly #options: InMemoryStoresOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #data: InMemoryData;
  readonly #opened = new Map<string, ProjectStore>();
  #isClosed = false;

  constructor(options: InMemoryStoresOptions) {
    this.#options = options;
    this.#clock = options.clock ?? { now: () => new Date() };
    this.#data = options.data ?? new InMemoryData();
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const store = this.#opened.get(projectPath) ?? this.#create(projectPath);
    this.#opened.set(projectPath, store);
    return store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    return this.#data.has(projectPath) ? this.open(projectPath) : undefined;
  }

  locationOf(projectPath: string): string {
    return `memory:${projectPath}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#opened.keys()].map((path) => this.#data.of(path).tables.idle()));
    this.#opened.clear();
  }

  #create(projectPath: string): ProjectStore {
    const data = this.#data.of(projectPath);
    const { tables, content, questions } = data;
    const vectors = data.vectorsOf(this.#options);
    return {
      chunks: new InMemoryChunkRepository(data, { projectPath, clock: this.#clock }),
      keywords: new InMemoryKeywordIndex(tables),
      retrievals: new InMemoryRetrievalLog(tables),
      questions: new InMemoryQuestionStore(tables),
      citations: new InMemoryCitations(tables),
      vectors: vectors.content,
      questionVectors: vectors.questions,
      comparisonProblem: async () => undefined,
      texts: { content, questions },
      leases: new InMemoryLeases(tables, this.#clock),
      refill: NEVER_MARKED,
      listing: new InMemoryChunkListing(tables),
      care: SOUND,
    };
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }
}

/** Memory has nothing that could be damaged, and nothing derived that could be out of step. */
const SOUND = { examine: async () => [], repair: async () => [], repairIndexes: async () => {} };

/** Memory does not lose its contents while the process runs. */
const NEVER_MARKED = { isSet: async () => false, clear: async () => {} };

/** Retrieval counts, stored with the chunks. */
class InMemoryRetrievalLog implements RetrievalLog {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  record(chunkIds: readonly string[], at: Date): Promise<void> {
    return this.#tables.write(() => {
      for (const id of chunkIds) {
        for (const row of this.#tables.rowsOf([id])) {
          const retrievalCount = row.retrievalCount + 1;
          this.#tables.put({ ...row, retrievalCount, lastRetrievedAt: at.toISOString() });
        }
      }
    });
  }

  async findUnusedSince(before: Date): Promise<readonly StaleChunk[]> {
    return this.#stale(before).map(toStaleChunk);
  }

  deleteUnusedSince(before: Date, most: number): Promise<readonly StaleChunk[]> {
    return this.#tables.write(() => {
      const stale = this.#stale(before).slice(0, most);
      this.#tables.delete(stale);
      return stale.map(toStaleChunk);
    });
  }

  #stale(before: Date): readonly Row[] {
    return this.#tables
      .rows()
      .filter(
        (row) => row.retrievalCount === 0 && Date.parse(unusedSince(row)) <= before.getTime(),
      );
  }
}

function toStaleChunk(row: Row): StaleChunk {
  return { id: row.chunk.id, sourceFile: row.chunk.sourceFile, unusedSince: unusedSince(row) };
}

function unusedSince({ chunk, lastRetrievedAt }: Row): string {
  return lastRetrievedAt ?? chunk.createdAt;
}

/** Questions, stored with the chunks. */
class InMemoryQuestionStore implements QuestionStore {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  async pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    return this.#tables
      .newestRows()
      .filter(({ questions }) => questions === undefined)
      .slice(0, limit)
      .map(({ chunk }) => ({ id: chunk.id, text: embeddingText(chunk) }));
  }

  save({ id, text }: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    return this.#tables.write(() => {
      for (const row of this.#tables.rowsOf([id])) {
        if (embeddingText(row.chunk) === text) this.#tables.put({ ...row, questions });
      }
    });
  }
}
