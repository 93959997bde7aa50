import type { SourceDocument } from '../../domain/chunks/chunk.js';
import type { IndexedSource, ReplaceOptions } from '../../ports/driven/chunk-repository.js';
import type { Cite } from '../citations/citing.js';
import type { Project } from '../projects/project.js';
import type { Prepared } from './in-batches.js';
import { hasSameText, type ReadSource, type Source, type SourceResult } from './source.js';

/** What is known of a source before it is read. */
export interface KnownSource {
  readonly indexed: IndexedSource | undefined;
  /** Whether chunks that an unchanged source has lost to pruning stay away or are created again. */
  readonly unchanged: 'skip' | 'restore';
  /** The source that it probably was before it was moved. */
  readonly former?: Source | undefined;
  /** The files that were read in this ingestion, to which that of the source is added. */
  readonly files?: Set<string> | undefined;
  readonly cite: Cite;
}

/** Brings the chunks of one source up to date, as `prepareSource` says. */
export async function ingestSource(
  project: Project,
  source: Source,
  known: KnownSource,
): Promise<SourceResult> {
  const { finish } = await prepareSource(project, source, known);
  return finish();
}

/**
 * Reads one source, and leaves it to be written; an unchanged one that has nothing to restore is not
 * parsed, and not even read if it was read before. A file that may not be read keeps the chunks it had; any
 * other failure is thrown. The size of what is left is the number of chunks.
 */
export async function prepareSource(
  project: Project,
  source: Source,
  known: KnownSource,
): Promise<Prepared<SourceResult>> {
  const { sourceFile } = source;
  const { indexed, unchanged, former } = known;
  const found = await unlessRefused({ sourceFile, indexed }, () => readUnlessDone(source, known));
  if ('state' in found) return { size: 0, finish: async () => found };
  const current = async () => withFormer(await currentDocument(source, found, known), former);
  const finish = () =>
    unlessRefused({ sourceFile, indexed }, () =>
      replace(project, { sourceFile, unchanged }, current),
    );
  return { size: found.document.chunks.length, finish };
}

async function readUnlessDone(
  source: Source,
  known: KnownSource,
): Promise<SourceResult | EarlierReading> {
  const { indexed, unchanged, files } = known;
  const { sourceFile } = source;
  const isDone = ({ contentHash }: { readonly contentHash: string }) =>
    contentHash === indexed?.contentHash && (unchanged === 'skip' || isComplete(indexed));
  const before = indexed && (await source.known());
  const unread = before !== undefined && isDone(before) ? before : undefined;
  const reading = unread === undefined ? await readSource(source) : undefined;
  const file = (unread ?? reading)?.file;
  if (file === undefined) return { sourceFile, state: 'gone', chunks: 0 };
  if (files?.has(file)) return { sourceFile, state: 'duplicate link', chunks: 0 };
  files?.add(file);
  if (reading === undefined || isDone(reading)) {
    return { sourceFile, state: 'there', chunks: indexed?.chunkCount ?? 0 };
  }
  return { reading, document: await documentOf(reading, known) };
}

/** A note that was written again is judged from now on, with all its chunks. */
async function documentOf(
  reading: ReadSource,
  { cite, indexed, former }: KnownSource,
): Promise<SourceDocument> {
  const document = await cite(reading.toDocument());
  const isSame = former ?? (indexed && hasSameText(indexed, reading));
  return document.sourceType === 'manual' && !isSame
    ? { ...document, citations: 'renewed' }
    : document;
}

/**
 * Removes the chunks of a source that is not among a project's files any more, unless `source` finds
 * its file there once the write lock is held; without a `source` the chunks go in any case.
 */
export function removeSource(
  project: Project,
  indexed: HeldSource,
  { source, cite }: { readonly source: Source | undefined; readonly cite: Cite },
): Promise<SourceResult> {
  const { sourceFile } = indexed;
  return unlessRefused({ sourceFile, indexed }, () =>
    replace(project, { sourceFile, unchanged: 'skip' }, async () => {
      const reading = source && (await readSource(source));
      return reading && cite(reading.toDocument());
    }),
  );
}

/** A source and how many chunks of it are indexed. */
type HeldSource = Pick<IndexedSource, 'sourceFile' | 'chunkCount'>;

/** Why a file is not read, on its way out of a transaction. */
class RefusedSource extends Error {}

/** A source as it was read before the write lock was taken. */
interface EarlierReading {
  readonly reading: ReadSource;
  readonly document: SourceDocument;
}

interface Attempt {
  readonly sourceFile: string;
  readonly indexed: HeldSource | undefined;
}

async function unlessRefused<T>(
  { sourceFile, indexed }: Attempt,
  work: () => Promise<T>,
): Promise<T | SourceResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error;
    const chunks = indexed?.chunkCount ?? 0;
    return { sourceFile, state: 'there', chunks, skipped: error.message };
  }
}

function isComplete({ chunkCount, documentChunkCount }: IndexedSource): boolean {
  return documentChunkCount <= chunkCount;
}

interface Target extends ReplaceOptions {
  readonly sourceFile: string;
}

async function replace(
  project: Project,
  { sourceFile, ...options }: Target,
  read: () => Promise<SourceDocument | undefined>,
): Promise<SourceResult> {
  let document: SourceDocument | undefined;
  const readNoted = async () => {
    document = await read();
    return document;
  };
  await project.store.chunks.replaceSource(sourceFile, readNoted, options);
  const chunks = document?.chunks.length ?? 0;
  const state = document === undefined ? 'gone' : 'there';
  return { sourceFile, state, chunks, movedFrom: document?.movedFrom };
}

/** What was parsed before is used where the file is still the same; else the file is read again. */
async function currentDocument(
  source: Source,
  { reading, document }: EarlierReading,
  known: KnownSource,
): Promise<SourceDocument | undefined> {
  if (await source.isStill(reading.version)) return document;
  const again = await readSource(source);
  return again && documentOf(again, known);
}

/** A file that is still there, or is back, was not moved. */
async function withFormer(
  document: SourceDocument | undefined,
  former: Source | undefined,
): Promise<SourceDocument | undefined> {
  if (document === undefined || former === undefined) return document;
  return (await former.isReadable()) ? document : { ...document, movedFrom: former.sourceFile };
}

async function readSource(source: Source): Promise<ReadSource | undefined> {
  const reading = await source.read();
  if (reading !== undefined && 'skipped' in reading) throw new RefusedSource(reading.skipped);
  return reading;
}
