import type { SourceDocument } from '../../domain/chunks/chunk.js';
import type { IndexedSource } from '../../ports/driven/chunk-store.js';
import type { Project } from '../projects/project.js';
import type { ReadSource, Source } from './source.js';

/** What an ingestion did with one source. */
export interface SourceResult {
  readonly sourceFile: string;
  /** `gone` where there is no such file. */
  readonly state: 'there' | 'gone';
  /** Whether the index now holds chunks of it. */
  readonly isHeld: boolean;
  /** Why it was not read. */
  readonly skipped?: string;
}

/**
 * Brings the chunks of one source up to date; an unchanged one is not even parsed. A file that may
 * not be read keeps the chunks it had; whatever else fails is thrown.
 */
export function ingestSource(
  project: Project,
  source: Source,
  indexed: IndexedSource | undefined,
): Promise<SourceResult> {
  const { sourceFile } = source;
  return unlessRefused({ sourceFile, indexed }, async () => {
    const reading = await readSource(source);
    if (reading === undefined) return { sourceFile, state: 'gone', isHeld: false };
    if (reading.contentHash === indexed?.contentHash) {
      return { sourceFile, state: 'there', isHeld: indexed.chunkCount > 0 };
    }
    const document = reading.toDocument();
    return replace(project, sourceFile, () => currentDocument(source, { reading, document }));
  });
}

/**
 * Removes the chunks of a source that is not among a project's files any more, unless `source` finds
 * its file there once the write lock is held; without a `source` the chunks go in any case.
 */
export function removeSource(
  project: Project,
  indexed: IndexedSource,
  source: Source | undefined,
): Promise<SourceResult> {
  const { sourceFile } = indexed;
  return unlessRefused({ sourceFile, indexed }, () =>
    replace(project, sourceFile, async () =>
      source === undefined ? undefined : (await readSource(source))?.toDocument(),
    ),
  );
}

/** Why a file is not read, on its way out of a transaction. */
class RefusedSource extends Error {}

/** A source as it was read before the write lock was taken. */
interface EarlierReading {
  readonly reading: ReadSource;
  readonly document: SourceDocument;
}

async function unlessRefused(
  {
    sourceFile,
    indexed,
  }: Pick<SourceResult, 'sourceFile'> & { indexed: IndexedSource | undefined },
  work: () => Promise<SourceResult>,
): Promise<SourceResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error;
    const isHeld = (indexed?.chunkCount ?? 0) > 0;
    return { sourceFile, state: 'there', isHeld, skipped: error.message };
  }
}

async function replace(
  project: Project,
  sourceFile: string,
  read: () => Promise<SourceDocument | undefined>,
): Promise<SourceResult> {
  let document: SourceDocument | undefined;
  await project.store.chunks.replaceSource(sourceFile, async () => {
    document = await read();
    return document;
  });
  const chunks = document?.chunks.length ?? 0;
  return { sourceFile, state: document === undefined ? 'gone' : 'there', isHeld: chunks > 0 };
}

/** What was parsed before is used where the file is still the same; else the file is read again. */
async function currentDocument(
  source: Source,
  { reading, document }: EarlierReading,
): Promise<SourceDocument | undefined> {
  if ((await source.version()) === reading.version) return document;
  return (await readSource(source))?.toDocument();
}

async function readSource(source: Source): Promise<ReadSource | undefined> {
  const reading = await source.read();
  if (reading !== undefined && 'skipped' in reading) throw new RefusedSource(reading.skipped);
  return reading;
}
