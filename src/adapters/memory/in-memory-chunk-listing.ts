import { tokenCost } from '../../domain/chunks/text.js';
import {
  type ChunkEntry,
  type ChunkList,
  type ChunkOrder,
  type OrderField,
  orderSteps,
} from '../../domain/overview/chunk-list.js';
import {
  type ChunkCounts,
  type ChunkGroup,
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../domain/overview/chunk-survey.js';
import type { ChunkListing, ChunkListQuery } from '../../ports/driven/chunk-listing.js';
import type { ProjectTables, Row } from './project-tables.js';

export class InMemoryChunkListing implements ChunkListing {
  readonly #tables: ProjectTables;

  constructor(tables: ProjectTables) {
    this.#tables = tables;
  }

  async list({ order, limit, offset, ...filter }: ChunkListQuery): Promise<ChunkList> {
    const { sourceType, sourceFile } = filter;
    const rows = this.#tables
      .rows()
      .filter(({ chunk }) => sourceType === undefined || chunk.sourceType === sourceType)
      .filter(({ chunk }) => sourceFile === undefined || chunk.sourceFile === sourceFile)
      .toSorted(comparison(order));
    return { total: rows.length, chunks: rows.slice(offset, offset + limit).map(entryOf) };
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
}

function entryOf({ chunk, retrievalCount, lastRetrievedAt }: Row): ChunkEntry {
  const { id, sourceType, sourceFile, heading, importance, updatedAt } = chunk;
  return {
    ...{ id, sourceType, sourceFile, importance, updatedAt },
    ...(heading !== undefined && { heading }),
    tokens: tokenCost(chunk.content),
    retrievals: retrievalCount,
    ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
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
