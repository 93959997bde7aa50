import type { SourceDocument } from '../../domain/chunks/chunk.js';
import type { IndexedSource, ReplaceOptions } from '../../ports/driven/chunk-repository.js';
import type { Cite } from '../citations/citation-finder.js';
import type { Project } from '../projects/project.js';
import type { Prepared } from './in-batches.js';
import type { KnownSource, ReadSource, Source } from './source.js';

/** What an ingestion did with one source. */
export interface SourceResult {
  readonly sourceFile: string;
  /** `gone` where there is no such file, `duplicate link` where it is a link to one that was read already. */
  readonly state: 'there' | 'gone' | 'duplicate link';
  /** How many chunks of it the index now holds. */
  readonly chunks: number;
  /** The path of the source before, if it was moved. */
  readonly movedFrom?: string | undefined;
  /** Why it was not read. */
  readonly skipped?: string;
}

/** How a source is ingested, and what is known of it before it is read. */
interface SourceContext extends Required<ReplaceOptions> {
  readonly cite: Cite;
  readonly indexed?: IndexedSource | undefined;
  /** The source that it probably was before it was moved. */
  readonly former?: Source | undefined;
  /** What was read in this ingestion by its version, to which the source is added. */
  readonly sourcesRead?: Map<string, Source>;
}

/**
 * Reads one source, and leaves it to be written; an unchanged one that has nothing to restore is not
 * parsed, and not even read if it was read before. A file that may not be read keeps the chunks it had; any
 * other failure is thrown. The size of what is left is the number of chunks.
 */
export async function prepareSource(
  project: Project,
  source: Source,
  context: SourceContext,
): Promise<Prepared<SourceResult>> {
  const { sourceFile } = source;
  const chunks = context.indexed?.chunkCount ?? 0;
  const done = (result: SourceResult) => ({ size: 0, finish: async () => result });
  const found = (await knownAsDone(source, context)) ?? (await source.read());
  if (found === undefined) return done({ sourceFile, state: 'gone', chunks: 0 });
  if ('skipped' in found) return done({ sourceFile, state: 'there', chunks, ...found });
  if (await wasReadAs(context.sourcesRead?.get(found.version), found)) {
    return done({ sourceFile, state: 'duplicate link', chunks: 0 });
  }
  context.sourcesRead?.set(found.version, source);
  if (!isRead(found) || isDone(found, context)) return done({ sourceFile, state: 'there', chunks });
  const document = await documentOf(found, context);
  const read = async () => {
    const isStill = await source.isStill(found.version);
    return withFormer(isStill ? document : await readDocument(source, context), context);
  };
  return {
    size: document.chunks.length,
    finish: () => replaceSource(project, { sourceFile, chunks, read, ...context }),
  };
}

/**
 * Removes the chunks of a source that is not among a project's files any more, unless `source` finds
 * its file there once the write lock is held; without a `source` the chunks go in any case.
 */
export function removeSource(
  project: Project,
  { sourceFile, chunkCount }: Pick<IndexedSource, 'sourceFile' | 'chunkCount'>,
  { source, cite }: { readonly source: Source | undefined; readonly cite: Cite },
): Promise<SourceResult> {
  const context = { unchanged: 'skip', cite } as const;
  const read = async () => source && readDocument(source, context);
  return replaceSource(project, { sourceFile, chunks: chunkCount, read, ...context });
}

/** Not where the other file was replaced since: what was read of this one may then have got its number on the disk. */
async function wasReadAs(other: Source | undefined, { version }: KnownSource): Promise<boolean> {
  return other !== undefined && (await other.isStill(version));
}

function isRead(found: KnownSource | ReadSource): found is ReadSource {
  return 'toDocument' in found;
}

async function knownAsDone(
  source: Source,
  context: SourceContext,
): Promise<KnownSource | undefined> {
  const known = context.indexed && (await source.known());
  return known && isDone(known, context) ? known : undefined;
}

function isDone({ contentHash }: KnownSource, { indexed, unchanged }: SourceContext): boolean {
  if (contentHash !== indexed?.contentHash) return false;
  return unchanged === 'skip' || indexed.documentChunkCount <= indexed.chunkCount;
}

/** A note that was written again is judged from now on, with all its chunks. */
async function documentOf(
  reading: ReadSource,
  { cite, indexed, former }: SourceContext,
): Promise<SourceDocument> {
  const document = await cite(reading.toDocument());
  const isSame = former ?? (indexed && textHashOf(indexed) === textHashOf(reading));
  return document.sourceType === 'manual' && !isSame
    ? { ...document, citations: 'renewed' }
    : document;
}

/** The same for the same text, although it may be cut in another way. */
function textHashOf({ contentHash }: Pick<IndexedSource, 'contentHash'>): string | undefined {
  return contentHash.split(':').at(-1);
}

/** @throws RefusedSource */
async function readDocument(
  source: Source,
  context: SourceContext,
): Promise<SourceDocument | undefined> {
  const reading = await source.read();
  if (reading !== undefined && 'skipped' in reading) throw new RefusedSource(reading.skipped);
  return reading && documentOf(reading, context);
}

/** A file that is still there, or is back, was not moved. */
async function withFormer(
  document: SourceDocument | undefined,
  { former }: SourceContext,
): Promise<SourceDocument | undefined> {
  if (document === undefined || former === undefined) return document;
  return (await former.isReadable()) ? document : { ...document, movedFrom: former.sourceFile };
}

/** Why a file is not read, on its way out of a transaction. */
class RefusedSource extends Error {}

interface Replacement extends Required<ReplaceOptions> {
  readonly sourceFile: string;
  /** That the index holds of it now. */
  readonly chunks: number;
  readonly read: () => Promise<SourceDocument | undefined>;
}

async function replaceSource(
  project: Project,
  { sourceFile, chunks, read, unchanged }: Replacement,
): Promise<SourceResult> {
  let document: SourceDocument | undefined;
  const readNoted = async () => {
    document = await read();
    return document;
  };
  try {
    await project.store.chunks.replaceSource(sourceFile, readNoted, { unchanged });
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error;
    return { sourceFile, state: 'there', chunks, skipped: error.message };
  }
  if (document === undefined) return { sourceFile, state: 'gone', chunks: 0 };
  const { chunks: written, movedFrom } = document;
  return { sourceFile, state: 'there', chunks: written.length, movedFrom };
}
