import { type Chunk, SOURCE_TYPES, type SourceType } from '../chunks/chunk.js';
import { isPushed } from '../pushed-document.js';

/** A chunk with everything that only the store knows of it, except its vectors. */
export interface ChunkRecord {
  /** The project is wherever the record is. */
  readonly chunk: Omit<Chunk, 'projectPath'>;
  /** Content hash with which its source was indexed; absent for a chunk of another program. */
  readonly contentHash?: string;
  readonly retrievalCount: number;
  /** ISO 8601; absent if it was never retrieved. */
  readonly lastRetrievedAt?: string;
  /** Absent as long as none were made. */
  readonly questions?: readonly string[];
}

/**
 * The content hash of a source whose chunks are being added: empty, so that it counts as changed until all
 * are there. A pushed document keeps its own, since it has no file that could be read again.
 */
export function hashWhileAdded({ contentHash = '' }: ChunkRecord): string {
  return isPushed({ contentHash }) ? contentHash : '';
}

/** A source as it was indexed. */
export interface SourceRecord {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks that the document had; more than the store has if some were pruned. */
  readonly documentChunkCount: number;
}

/** What became of records that were added to a store, in chunks. */
export interface AddedRecords {
  /** They were not there. */
  readonly added: number;
  /** They were there with the same text, and have the higher counts now. */
  readonly merged: number;
  /** The store has another text at their place, or another version of their source: they were left out. */
  readonly different: number;
}

/** What became of one record. */
export type RecordOutcome = keyof AddedRecords;

export function countOutcomes(outcomes: readonly RecordOutcome[]): AddedRecords {
  const counts = { ...NO_RECORDS };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

/** Sums up counts. */
export function addCounts(a: AddedRecords, b: AddedRecords): AddedRecords {
  return {
    added: a.added + b.added,
    merged: a.merged + b.merged,
    different: a.different + b.different,
  };
}

export const NO_RECORDS: AddedRecords = { added: 0, merged: 0, different: 0 };

/** A record with values that every backend can store; what another program wrote may have others. */
export function portable({ chunk, lastRetrievedAt, ...record }: ChunkRecord): ChunkRecord {
  const { sourceType, sourceFile, chunkIndex, createdAt, updatedAt } = chunk;
  return {
    ...record,
    ...(isDate(lastRetrievedAt) && { lastRetrievedAt }),
    chunk: {
      ...chunk,
      sourceType: SOURCE_TYPES.includes(sourceType) ? sourceType : 'file',
      sourceFile: sourceFile.replaceAll('\0', '\uFFFD') || 'unknown',
      chunkIndex: Math.min(chunkIndex, COUNT_MAX),
      createdAt: isDate(createdAt) ? createdAt : NO_DATE,
      updatedAt: isDate(updatedAt) ? updatedAt : NO_DATE,
    },
  };
}

/** The largest whole number that every backend can store. */
export const COUNT_MAX = 2 ** 31 - 1;

const NO_DATE = '1970-01-01T00:00:00.000Z';

function isDate(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}
