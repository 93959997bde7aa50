import type { Chunk, SourceType } from '../../domain/chunks/chunk.js';
import type { CitationReport } from '../../domain/citations/citation-report.js';
import type { SkippedSource } from './ingestion-service.js';

/** A source and what the index holds of it. */
export interface SourceReport {
  readonly sourceFile: string;
  readonly sourceType: SourceType;
  /** Number of its chunks. */
  readonly chunks: number;
  /** Size of its file; 0 if there is none that may be read. */
  readonly bytes: number;
  /** ISO 8601 time when a chunk of it was last written; absent if it has none. */
  readonly indexedAt?: string;
  /** How often its chunks were retrieved. */
  readonly retrievals: number;
}

export interface SourceOverview {
  /** Sorted by `sourceFile`. */
  readonly sources: readonly SourceReport[];
  /** What is not read, and why. */
  readonly skipped: readonly SkippedSource[];
}

export interface SourceDeletion {
  /** Number of chunks that were deleted. */
  readonly deleted: number;
  /** True if the file is still there, and the next ingestion indexes it again. */
  readonly returns?: true;
}

/** Lines of a source, counted from 1, both ends included. */
export interface LineRange {
  /** Default 1. */
  readonly from?: number | undefined;
  /** Default: the last one. */
  readonly to?: number | undefined;
}

export interface SourceLines {
  readonly sourceFile: string;
  readonly from: number;
  readonly to: number;
  /** Number of all lines. */
  readonly lines: number;
  /** The lines, without a line break at the end. */
  readonly text: string;
}

/** A chunk with what belongs to it. */
export interface ChunkDetails extends CitationReport {
  readonly chunk: Chunk;
  /** The questions that it answers; empty if there are none yet. */
  readonly questions: readonly string[];
  /** At most 10 other chunks, nearest first; empty while it has no vector. */
  readonly neighbours: readonly ChunkNeighbour[];
  /** Id of the note that replaces the one of this chunk; absent if there is none. */
  readonly supersededBy?: string;
}

export interface ChunkNeighbour {
  readonly id: string;
  readonly sourceFile: string;
  readonly heading?: string;
  /** -1 to 1. */
  readonly cosine: number;
}

/** Shows and deletes what the index of a project holds (docs/specification.md, "Knowledge in"). */
export interface SourcesService {
  /** Creates nothing; everything is empty for a directory without a store. */
  listSources(projectPath: string, sourceType?: SourceType): Promise<SourceOverview>;
  /**
   * Deletes the chunks of a source; the file of a note, a web page or a digest goes with them.
   * @throws KnowledgeError `not_found` for a source that this service did not index
   */
  deleteSource(projectPath: string, sourceFile: string): Promise<SourceDeletion>;
  /**
   * Lines of the file of a source as it is now; of the text of its first 500 chunks if it has no file. Does not count
   * as a retrieval.
   * @throws KnowledgeError `invalid_request`, `not_found` for a source of which the index holds nothing, and
   * lines that it does not have
   */
  readLines(projectPath: string, sourceFile: string, range?: LineRange): Promise<SourceLines>;
  /**
   * The lines, from 1, on which chunks begin in their files, in the order of `ids`; undefined for a chunk that
   * the file does not say any more, or that does not exist.
   */
  linesOf(projectPath: string, ids: readonly string[]): Promise<readonly (number | undefined)[]>;
  /**
   * One chunk. Does not count as a retrieval.
   * @throws KnowledgeError `not_found`
   */
  getChunk(projectPath: string, id: string): Promise<ChunkDetails>;
}
