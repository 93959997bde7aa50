import type { SourceType } from '../../domain/chunks/chunk.js';
import type { ChunkList, ChunkOrder } from '../../domain/overview/chunk-list.js';
import type { ChunkSurvey } from '../../domain/overview/chunk-survey.js';

export interface ChunkListOptions {
  /** Default `source`: by source file and position. */
  readonly order?: ChunkOrder | undefined;
  readonly sourceType?: SourceType | undefined;
  readonly sourceFile?: string | undefined;
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** How many entries are left out at the beginning, at most 10,000; default 0. */
  readonly offset?: number | undefined;
}

/** A chunk as a point: near ones have similar meanings. */
export interface MapPoint {
  readonly id: string;
  readonly sourceType: SourceType;
  readonly heading?: string;
  /** -1 to 1. */
  readonly x: number;
  /** -1 to 1. */
  readonly y: number;
}

export interface ChunkMap {
  /** Number of all chunks of the project. */
  readonly total: number;
  /** Of an even sample of the chunks, those that have a vector. */
  readonly points: readonly MapPoint[];
}

/**
 * What the store of a project holds as a whole, for people who look at it. Nothing here counts as a retrieval, and
 * nothing creates a store: without one, there are no chunks.
 */
export interface OverviewService {
  /** Counts over all chunks. Tokens are counted in characters, so texts with characters beyond U+FFFF may count for less. */
  surveyChunks(projectPath: string): Promise<ChunkSurvey>;
  /**
   * One page of the chunks in an order.
   * @throws KnowledgeError `invalid_request`
   */
  listChunks(projectPath: string, options?: ChunkListOptions): Promise<ChunkList>;
  /**
   * The plane in which the meanings of the chunks differ most.
   * @param limit size of the sample, 1 to 2,000; default 1,000
   * @throws KnowledgeError `invalid_request`
   */
  mapChunks(projectPath: string, limit?: number): Promise<ChunkMap>;
}
