import { chunkId, SOURCE_TYPES } from '../chunks/chunk.js';
import { KnowledgeError } from '../errors.js';
import type { Vector } from '../ranking/vector.js';
import { isRecord } from '../records.js';
import { type ChunkRecord, COUNT_MAX, type SourceRecord } from './records.js';
import { toVectorText, vectorFrom } from './vector-text.js';

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

/** A line of an export as JSON, without a line break. */
export function toJsonLine(line: ExportLine): string {
  if (line.kind !== 'chunk') return JSON.stringify(line);
  const { vector, questionVector, ...rest } = line;
  return JSON.stringify({
    ...rest,
    ...(vector !== undefined && { vector: toVectorText(vector) }),
    ...(questionVector !== undefined && { questionVector: toVectorText(questionVector) }),
  });
}

/**
 * Reads a line of an export, which is untrusted input.
 * @throws KnowledgeError `not_readable` that names the line
 */
export function fromJsonLine(text: string, number: number): ExportLine {
  const value = parsed(text);
  const line = isRecord(value) ? READERS.get(value['kind'])?.(value) : undefined;
  if (line !== undefined) return line;
  throw new KnowledgeError(
    'not_readable',
    `Line ${number} is not a line of an export by this version; check that the file is an export and complete.`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Each returns undefined for a line with a wrong field. */
const READERS = new Map<unknown, (fields: Fields) => ExportLine | undefined>([
  ['knowledge-store-export', readHeader],
  ['source', readSource],
  ['chunk', readChunk],
  ['end', readEnd],
]);

function readHeader({ version, createdAt, model }: Fields): ExportHeader | undefined {
  if (version !== EXPORT_VERSION || !isText(createdAt) || !isText(model)) return undefined;
  return { kind: 'knowledge-store-export', version, createdAt, model };
}

function readSource(fields: Fields): ExportedSource | undefined {
  const { sourceType, sourceFile, contentHash, documentChunkCount, supersedes } = fields;
  if (!isSourceType(sourceType) || !isName(sourceFile)) return undefined;
  if (!isText(contentHash) || !isCount(documentChunkCount)) return undefined;
  if (!isOptional(isName)(supersedes)) return undefined;
  const link = supersedes === undefined ? {} : { supersedes };
  return { kind: 'source', sourceType, sourceFile, contentHash, documentChunkCount, ...link };
}

function readChunk(fields: Fields): ExportedChunk | undefined {
  const { contentHash, retrievalCount, lastRetrievedAt, questions } = fields;
  const chunk = isRecord(fields['chunk']) ? chunkFrom(fields['chunk']) : undefined;
  if (chunk === undefined || !isCount(retrievalCount)) return undefined;
  if (!isOptional(isText)(contentHash) || !isOptional(isDate)(lastRetrievedAt)) return undefined;
  if (!isOptional(isTexts)(questions)) return undefined;
  const isOwned = contentHash !== undefined;
  if (isOwned && chunk.id !== chunkId(chunk.sourceFile, chunk.chunkIndex)) return undefined;
  const vector = vectorFrom(fields['vector']);
  const questionVector = vectorFrom(fields['questionVector']);
  return {
    kind: 'chunk',
    chunk,
    retrievalCount,
    ...(isOwned && { contentHash }),
    ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
    ...(questions !== undefined && { questions }),
    ...(vector !== undefined && { vector }),
    ...(questionVector !== undefined && { questionVector }),
  };
}

function chunkFrom(fields: Fields): ChunkRecord['chunk'] | undefined {
  const { id, sourceType, sourceFile, chunkIndex, heading, content, tags } = fields;
  const { importance, createdAt, updatedAt } = fields;
  if (!isName(id) || !isSourceType(sourceType) || !isName(sourceFile)) return undefined;
  if (!isCount(chunkIndex) || !isOptional(isText)(heading) || !isText(content)) return undefined;
  if (!isOptional(isTexts)(tags) || !isFiniteNumber(importance)) return undefined;
  if (!isDate(createdAt) || !isDate(updatedAt)) return undefined;
  return {
    id,
    sourceType,
    sourceFile,
    chunkIndex,
    ...(heading !== undefined && { heading }),
    content,
    ...(tags !== undefined && tags.length > 0 && { tags }),
    importance,
    createdAt,
    updatedAt,
  };
}

function readEnd({ sources, chunks }: Fields): ExportEnd | undefined {
  return isCount(sources) && isCount(chunks) ? { kind: 'end', sources, chunks } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOptional<T>(is: (value: unknown) => value is T) {
  return (value: unknown): value is T | undefined => value === undefined || is(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isName(value: unknown): value is string {
  return (
    isText(value) && value !== '' && value.length <= NAME_MAX_CHARACTERS && !value.includes('\0')
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isDate(value: unknown): value is string {
  return isText(value) && value.length <= DATE_MAX_CHARACTERS && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= COUNT_MAX;
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isSourceType(value: unknown): value is (typeof SOURCE_TYPES)[number] {
  return SOURCE_TYPES.some((type) => type === value);
}

const NAME_MAX_CHARACTERS = 4096;
const DATE_MAX_CHARACTERS = 40;
