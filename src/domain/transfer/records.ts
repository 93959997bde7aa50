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

/** A source as it was indexed. */
export interface SourceRecord {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks that the document had; more than the store has if some were pruned. */
  readonly documentChunkCount: number;
  /** The source file that it replaces; absent if it replaces none. */
  readonly supersedes?: string;
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

/** What a store has of the chunks and the sources that records are about. */
export interface PresentRecords {
  /** Content hashes by source file. */
  readonly hashes: ReadonlyMap<string, string>;
  /** By chunk id. */
  readonly texts: ReadonlyMap<string, ChunkText>;
}

type ChunkText = Pick<Chunk, 'heading' | 'content'>;

/** How records are added to a store: first the sources, then what is added, then what is merged. */
export interface RecordPlan {
  readonly sources: readonly NewSource[];
  /** Their ids are free. */
  readonly added: readonly ChunkRecord[];
  /** Their chunk is there, or is added by this plan. */
  readonly merged: readonly ChunkRecord[];
  readonly counts: AddedRecords;
}

/** A source that is new to the store. */
export interface NewSource {
  readonly sourceFile: string;
  readonly sourceType: SourceType;
  /**
   * Empty, so that the source counts as changed until all its chunks are there. A pushed document keeps its own, since
   * it has no file that could be read again.
   */
  readonly contentHash: string;
}

/** Decides what `StoreRecords.add` does with each record. */
export function planRecords(records: readonly ChunkRecord[], present: PresentRecords): RecordPlan {
  const hashes = new Map(present.hashes);
  const texts = new Map(present.texts);
  const sources: NewSource[] = [];
  const outcomes = { added: [] as ChunkRecord[], merged: [] as ChunkRecord[] };
  for (const record of records) {
    const source = newSource(record);
    if (source !== undefined && !hashes.has(source.sourceFile)) {
      sources.push(source);
      hashes.set(source.sourceFile, source.contentHash);
    }
    const { chunk } = record;
    const text = texts.get(chunk.id);
    if (isOtherVersion(record, hashes) || !isSameText(text ?? chunk, chunk)) continue;
    texts.set(chunk.id, chunk);
    outcomes[text === undefined ? 'added' : 'merged'].push(record);
  }
  const [added, merged] = [outcomes.added.length, outcomes.merged.length];
  const counts = { added, merged, different: records.length - added - merged };
  return { sources, ...outcomes, counts };
}

/** The source of a record; undefined for a chunk of another program. */
function newSource({ chunk, contentHash }: ChunkRecord): NewSource | undefined {
  if (contentHash === undefined) return undefined;
  const { sourceFile, sourceType } = chunk;
  return { sourceFile, sourceType, contentHash: isPushed({ contentHash }) ? contentHash : '' };
}

/** Whether the store has indexed another version of the source. */
function isOtherVersion(
  { chunk, contentHash }: ChunkRecord,
  hashes: ReadonlyMap<string, string>,
): boolean {
  const indexed = contentHash === undefined ? '' : (hashes.get(chunk.sourceFile) ?? '');
  return indexed !== '' && indexed !== contentHash;
}

function isSameText(a: ChunkText, b: ChunkText): boolean {
  return a.heading === b.heading && a.content === b.content;
}

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
