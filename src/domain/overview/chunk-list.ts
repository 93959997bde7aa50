import type { SourceType } from '../chunks/chunk.js';

/** A chunk without its text. */
export interface ChunkEntry {
  readonly id: string;
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly heading?: string;
  /** Budget tokens of its text. */
  readonly tokens: number;
  readonly importance: number;
  readonly updatedAt: string;
  readonly retrievals: number;
  /** ISO 8601; absent if it was never retrieved. */
  readonly lastRetrievedAt?: string;
}

export interface ChunkList {
  /** Number of all chunks that match. */
  readonly total: number;
  readonly chunks: readonly ChunkEntry[];
}

/** The orders in which chunks can be listed. */
export const CHUNK_ORDERS = [
  'source',
  'most_retrieved',
  'least_retrieved',
  'newest',
  'longest',
] as const;
export type ChunkOrder = (typeof CHUNK_ORDERS)[number];

/** The size of a page, and how many entries may come before it. */
export const LISTED_CHUNKS_RANGE = { min: 1, max: 200 } as const;
export const LISTED_OFFSET_RANGE = { min: 0, max: 10_000 } as const;

/** What is compared: texts in code units; a date that is absent is the earliest. */
export type OrderField =
  | 'sourceFile'
  | 'chunkIndex'
  | 'id'
  | 'tokens'
  | 'updatedAt'
  | 'retrievals'
  | 'lastRetrievedAt';

type OrderStep = readonly [field: OrderField, direction: 'ASC' | 'DESC'];

/** The fields that an order compares, one after the other; no two chunks are equal in all of them. */
export function orderSteps(order: ChunkOrder): readonly OrderStep[] {
  return [...FIRST_STEPS[order], ['sourceFile', 'ASC'], ['chunkIndex', 'ASC'], ['id', 'ASC']];
}

const FIRST_STEPS: Readonly<Record<ChunkOrder, readonly OrderStep[]>> = {
  source: [],
  most_retrieved: [
    ['retrievals', 'DESC'],
    ['lastRetrievedAt', 'DESC'],
  ],
  least_retrieved: [
    ['retrievals', 'ASC'],
    ['updatedAt', 'ASC'],
  ],
  newest: [['updatedAt', 'DESC']],
  longest: [['tokens', 'DESC']],
};
