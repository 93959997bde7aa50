import { tokenCost } from '../../domain/chunks/text.js';
import { type ChunkOrder, type OrderField, orderSteps } from '../../domain/overview/chunk-list.js';
import {
  type ChunkCounts,
  type ChunkGroup,
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../domain/overview/chunk-survey.js';
import {
  type AddedRecords,
  type ChunkRecord,
  planRecords,
  type SourceRecord,
} from '../../domain/transfer/records.js';
import type {
  RecordList,
  RecordPage,
  RecordQuery,
  StoreRecords,
} from '../../ports/driven/store-records.js';
import type { ProjectTables, Row } from './project-tables.js';

/** Everything in the tables of one project, in order of insertion. */
export class InMemoryStoreRecords implements StoreRecords {
  readonly #tables: ProjectTables;
  readonly #projectPath: string;

  constructor(tables: ProjectTables, projectPath: string) {
    this.#tables = tables;
    this.#projectPath = projectPath;
  }

  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const rows = this.#tables.rows().filter(({ order }) => order > Number(after ?? 0));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const records = page.map((row) => this.#recordOf(row));
    return rows.length > limit && last !== undefined
      ? { records, next: String(last.order) }
      : { records };
  }

  async list({ order, limit, offset, ...filter }: RecordQuery): Promise<RecordList> {
    const { sourceType, sourceFile } = filter;
    const rows = this.#tables
      .rows()
      .filter(({ chunk }) => sourceType === undefined || chunk.sourceType === sourceType)
      .filter(({ chunk }) => sourceFile === undefined || chunk.sourceFile === sourceFile)
      .toSorted(comparison(order));
    const page = rows.slice(offset, offset + limit);
    return { total: rows.length, records: page.map((row) => this.#recordOf(row)) };
  }

  async counts(): Promise<ChunkCounts> {
    const rows = this.#tables.rows();
    const days = new Map<string, number>();
    for (const { lastRetrievedAt } of rows) {
      const day = lastRetrievedAt?.slice(0, 'YYYY-MM-DD'.length);
      if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
    }
    const lastRetrieved = [...days].map(([day, chunks]) => ({ day, chunks }));
    return {
      groups: rows.map(groupOf),
      lastRetrieved: lastRetrieved.toSorted((a, b) => compare(a.day, b.day)),
    };
  }

  add(records: readonly ChunkRecord[]): Promise<AddedRecords> {
    return this.#tables.write(() => {
      const { sources, added, merged, counts } = planRecords(records, this.#present(records));
      for (const source of sources) this.#rememberSource({ ...source, documentChunkCount: 0 });
      for (const record of added) this.#append(record);
      for (const record of merged) this.#merge(record);
      return counts;
    });
  }

  addSources(sources: readonly SourceRecord[]): Promise<void> {
    return this.#tables.write(() => {
      for (const source of sources) {
        const known = this.#tables.sources.get(source.sourceFile)?.contentHash ?? '';
        if (known === '' || known === source.contentHash) this.#rememberSource(source);
      }
    });
  }

  #rememberSource(source: SourceRecord): void {
    const { sourceFile, sourceType, contentHash, documentChunkCount, supersedes } = source;
    const stored = { sourceFile, sourceType, contentHash, documentChunkCount, supersedes };
    this.#tables.sources.set(sourceFile, stored);
  }

  #recordOf({ chunk, retrievalCount, lastRetrievedAt, questions, isForeign }: Row): ChunkRecord {
    const { projectPath: _, ...rest } = chunk;
    const source = this.#tables.sources.get(chunk.sourceFile);
    return {
      chunk: rest,
      ...(isForeign !== true && { contentHash: source?.contentHash ?? '' }),
      retrievalCount,
      ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
      ...(questions !== undefined && questions.length > 0 && { questions }),
    };
  }

  #present(records: readonly ChunkRecord[]) {
    const { sources } = this.#tables;
    const rows = this.#tables.rowsOf(records.map(({ chunk }) => chunk.id));
    return {
      hashes: new Map([...sources].map(([file, { contentHash }]) => [file, contentHash])),
      texts: new Map(rows.map(({ chunk }) => [chunk.id, chunk])),
    };
  }

  #append({ chunk, contentHash, ...record }: ChunkRecord): void {
    const own = { ...chunk, projectPath: this.#projectPath };
    const isForeign = contentHash === undefined;
    this.#tables.append({ ...record, chunk: own, ...(isForeign && { isForeign }) });
  }

  #merge(record: ChunkRecord): void {
    for (const row of this.#tables.rowsOf([record.chunk.id])) this.#tables.put(merged(row, record));
  }
}

/** Times are ISO 8601 in UTC, so the later one is the greater text. */
function merged(row: Row, record: ChunkRecord): Row {
  const lastRetrievedAt = [row.lastRetrievedAt ?? '', record.lastRetrievedAt ?? '']
    .toSorted()
    .at(-1);
  const questions = row.questions ?? record.questions;
  return {
    ...row,
    retrievalCount: Math.max(row.retrievalCount, record.retrievalCount),
    ...(lastRetrievedAt && { lastRetrievedAt }),
    ...(questions !== undefined && { questions }),
  };
}

/** One chunk is a group, too. */
function groupOf({ chunk, retrievalCount }: Row): ChunkGroup {
  const tokens = tokenCost(chunk.content);
  return {
    sourceType: chunk.sourceType,
    sizeStep: Math.min(LAST_STEP, Math.max(0, Math.ceil(tokens / TOKENS_PER_STEP) - 1)),
    chunks: 1,
    tokens,
    retrievals: retrievalCount,
    neverRetrieved: retrievalCount === 0 ? 1 : 0,
  };
}

function comparison(order: ChunkOrder): (a: Row, b: Row) => number {
  const steps = orderSteps(order);
  return (a, b) => {
    for (const [field, direction] of steps) {
      const result = compare(ORDER_VALUES[field](a), ORDER_VALUES[field](b));
      if (result !== 0) return direction === 'ASC' ? result : -result;
    }
    return 0;
  };
}

const ORDER_VALUES: Readonly<Record<OrderField, (row: Row) => string | number>> = {
  sourceFile: ({ chunk }) => chunk.sourceFile,
  chunkIndex: ({ chunk }) => chunk.chunkIndex,
  id: ({ chunk }) => chunk.id,
  tokens: ({ chunk }) => tokenCost(chunk.content),
  updatedAt: ({ chunk }) => chunk.updatedAt,
  retrievals: ({ retrievalCount }) => retrievalCount,
  lastRetrievedAt: ({ lastRetrievedAt = '' }) => lastRetrievedAt,
};

function compare(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
