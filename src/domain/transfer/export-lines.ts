import { chunkId, SOURCE_TYPES } from '../chunks/chunk.js';
import { KnowledgeError } from '../errors.js';
import type { Vector } from '../ranking/vector.js';
import { isRecord } from '../records.js';
import { isListOf, oneOf } from '../value-rule.js';
import { isOverfull } from './line-size.js';
import { type ChunkRecord, COUNT_MAX, type SourceRecord } from './records.js';

/** The first line of an export. */
export interface ExportHeader {
  readonly kind: 'knowledge-store-export';
  readonly version: typeof EXPORT_VERSION;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The embedding model of the vectors. */
  readonly model: string;
}

export interface ExportedSource extends SourceRecord {
  readonly kind: 'source';
}

export interface ExportedChunk extends ChunkRecord {
  readonly kind: 'chunk';
  readonly vector?: Vector;
  readonly questionVector?: Vector;
}

/** The last line: without it, an export is incomplete. */
interface ExportEnd {
  readonly kind: 'end';
  readonly sources: number;
  readonly chunks: number;
}

export type ExportLine = ExportHeader | ExportedSource | ExportedChunk | ExportEnd;

export const EXPORT_VERSION = 1;

/** A line of an export as JSON, without a line break; vectors are base64 of little-endian 32-bit floats. */
export function toJsonLine(line: ExportLine): string {
  return JSON.stringify(line, (_, value: unknown) =>
    value instanceof Float32Array ? toBase64(value) : value,
  );
}

/**
 * Reads a line of an export, which is untrusted input.
 * @throws KnowledgeError `not_readable` that names the line
 */
export function fromJsonLine(text: string, number: number): ExportLine {
  if (isOverfull(text)) {
    throw new KnowledgeError(
      'not_readable',
      `Line ${number} has more beside its text than any line of an export; check that the file is an export.`,
    );
  }
  const value = parsed(text);
  const line =
    fieldsOf<ExportHeader>(value, HEADER) ??
    fieldsOf<ExportedSource>(value, SOURCE) ??
    chunkFrom(value) ??
    fieldsOf<ExportEnd>(value, END);
  if (line !== undefined) return line;
  throw new KnowledgeError(
    'not_readable',
    `Line ${number} is not a line of an export by this version; check that the file is an export and complete.`,
  );
}

/** What each field of a line must be; a line may have others, which are ignored. */
type Fields<T> = Readonly<Record<keyof T, (value: unknown) => boolean>>;

/** The fields of a line without the absent ones; undefined if one of them is wrong. */
function fieldsOf<T>(value: unknown, fields: Fields<T>): T | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(fields) as (keyof T & string)[];
  if (!names.every((name) => fields[name](value[name]))) return undefined;
  const present = names.filter((name) => value[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, value[name]])) as T;
}

/** A vector that is not valid can be computed again, and is left out. */
function chunkFrom(value: unknown): ExportedChunk | undefined {
  const line = fieldsOf<ExportedChunk>(value, RECORD);
  if (line === undefined) return undefined;
  const chunk = fieldsOf<ChunkRecord['chunk']>(line.chunk, CHUNK);
  if (chunk === undefined) return undefined;
  const { vector: _, questionVector: __, ...record } = line;
  const isOwned = record.contentHash !== undefined;
  if (isOwned && chunk.id !== chunkId(chunk.sourceFile, chunk.chunkIndex)) return undefined;
  const { tags, ...rest } = chunk;
  const [vector, questionVector] = [fromBase64(line.vector), fromBase64(line.questionVector)];
  return {
    ...record,
    chunk: tags?.length ? { ...rest, tags } : rest,
    ...(vector && { vector }),
    ...(questionVector && { questionVector }),
  };
}

const is = (expected: unknown) => (value: unknown) => value === expected;
const isSourceType = oneOf(SOURCE_TYPES).accepts;

const HEADER: Fields<ExportHeader> = {
  kind: is('knowledge-store-export'),
  version: is(EXPORT_VERSION),
  createdAt: isText,
  model: isText,
};
const SOURCE: Fields<ExportedSource> = {
  kind: is('source'),
  sourceType: isSourceType,
  sourceFile: isName,
  contentHash: isText,
  documentChunkCount: isCount,
  supersedes: optional(isName),
};
const RECORD: Fields<ExportedChunk> = {
  kind: is('chunk'),
  chunk: isRecord,
  contentHash: optional(isText),
  retrievalCount: isCount,
  lastRetrievedAt: optional(isDate),
  questions: optional(isListOf(isText)),
  vector: () => true,
  questionVector: () => true,
};
const CHUNK: Fields<ChunkRecord['chunk']> = {
  id: isName,
  sourceType: isSourceType,
  sourceFile: isName,
  chunkIndex: isCount,
  heading: optional(isText),
  content: isText,
  tags: optional(isListOf(isText)),
  importance: Number.isFinite,
  createdAt: isDate,
  updatedAt: isDate,
};
const END: Fields<ExportEnd> = { kind: is('end'), sources: isCount, chunks: isCount };

function optional(isRight: (value: unknown) => boolean) {
  return (value: unknown) => value === undefined || isRight(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isName(value: unknown): boolean {
  return isText(value) && /^[^\0]{1,4096}$/.test(value);
}

function isDate(value: unknown): boolean {
  return isText(value) && value.length <= 40 && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= COUNT_MAX;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toBase64({ buffer, byteOffset, byteLength }: Vector): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: unknown): Vector | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return bytes.length > 0 ? new Float32Array(bytes.buffer) : undefined;
  } catch {
    return undefined;
  }
}
