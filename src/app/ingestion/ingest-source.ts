import type { SourceDocument } from '../../domain/chunks/chunk.js';
import type { IndexedSource, ReplaceOptions, SourceChange } from '../../ports/source-repository.js';
import type { Cite } from '../citations/citation-finder.js';
import type { Project } from '../project.js';
import type { KnownSource, ReadSource, Source } from './source.js';

export interface SourceResult {
  readonly sourceFile: string;
  /** `gone`: there is no such file. `duplicate link`: the path links to a file already read. */
  readonly state: 'there' | 'gone' | 'duplicate link';
  /** Number of the source's chunks in the index. */
  readonly chunks: number;
  /** The previous path of the source, if it was moved. */
  readonly movedFrom?: string | undefined;
  readonly skipped?: string;
  /** Why parts of the file were not used; default none. */
  readonly problems?: readonly string[];
}

/** A source that was read and will be written, unless its file changes first. */
interface PendingSource {
  readonly change: SourceChange;
  readonly result: SourceResult;
  /** Reported instead of `result` if the file keeps changing, so that nothing is written. */
  readonly kept: Pick<SourceResult, 'state' | 'chunks'>;
  readonly again: () => Promise<PreparedSource>;
}

export type PreparedSource = SourceResult | PendingSource;

/** How a source is ingested, and facts known before it is read. */
interface SourceContext extends Required<ReplaceOptions> {
  readonly cite: Cite;
  readonly indexed?: IndexedSource | undefined;
  /** The source that was probably moved to this path. */
  readonly former?: Source | undefined;
  /** Sources already read in this ingestion, by version. {@link prepareSource} adds this source. */
  readonly sourcesRead?: Map<string, Source>;
}

/**
 * Reads one source. An unchanged source with nothing to restore is not parsed, and not even read if this process has
 * read it before. A file that may not be read keeps its chunks; any other failure is thrown.
 */
export async function prepareSource(
  source: Source,
  context: SourceContext,
): Promise<PreparedSource> {
  const { sourceFile } = source;
  const chunks = context.indexed?.chunkCount ?? 0;
  const found = knownAsDone(source, context) ?? (await source.read());
  if (found === undefined) return { sourceFile, state: 'gone', chunks: 0 };
  if ('skipped' in found) return { sourceFile, state: 'there', chunks, ...found };
  const { version } = found;
  // If the other file was replaced in the meantime, its inode may have been reused: this file is then no link to it.
  if (context.sourcesRead?.get(version)?.isStill(version)) {
    return { sourceFile, state: 'duplicate link', chunks: 0 };
  }
  context.sourcesRead?.set(version, source);
  const problems = source.listProblems(found);
  if (!isRead(found) || isDone(found, context)) {
    return { sourceFile, state: 'there', chunks, problems };
  }
  const document = await withFormer(await toDocument(found, context), context);
  const { chunks: written, movedFrom } = document;
  return {
    change: {
      sourceFile,
      document,
      unchanged: context.unchanged,
      isCurrent: () =>
        source.isStill(version) &&
        (movedFrom === undefined || context.former?.isStill(undefined) === true),
    },
    result: { sourceFile, state: 'there', chunks: written.length, movedFrom, problems },
    kept: { state: 'there', chunks },
    again: () => prepareSource(source, { ...context, sourcesRead: new Map() }),
  };
}

/**
 * Prepares the removal of a source that is no longer listed. If there is a file again, prepares its indexing instead.
 * Without `source`, always removes the chunks.
 */
export async function prepareRemoval(
  sourceFile: string,
  removal: Removal,
): Promise<PreparedSource> {
  const { source, cite, chunks = 0 } = removal;
  const found = source && (await prepareSource(source, { unchanged: 'skip', cite }));
  if (found !== undefined && !isGone(found)) return found;
  return {
    change: {
      sourceFile,
      document: undefined,
      ...(source && { isCurrent: () => source.isStill(undefined) }),
    },
    result: { sourceFile, state: 'gone', chunks: 0 },
    kept: { state: 'there', chunks },
    again: () => prepareRemoval(sourceFile, removal),
  };
}

interface Removal {
  readonly source: Source | undefined;
  readonly cite: Cite;
  /** Number of the source's chunks in the index; default 0. */
  readonly chunks?: number;
}

/**
 * Writes prepared sources in one batch. Files that have changed since are read again; files that keep changing are left
 * to the next ingestion.
 */
export async function writeSources(
  project: Project,
  prepared: readonly PreparedSource[],
  attempts = ATTEMPTS,
): Promise<readonly SourceResult[]> {
  const pending = prepared.filter(isPending);
  const changes = pending.map(({ change }) => change);
  const outcomes = changes.length === 0 ? [] : await project.store.chunks.replaceSources(changes);
  const outcomeOf = new Map(pending.map((source, index) => [source, outcomes[index]]));
  const results: SourceResult[] = [];
  for (const source of prepared) {
    if (!isPending(source)) results.push(source);
    else if (outcomeOf.get(source) !== 'changed') results.push(source.result);
    else if (attempts === 1) results.push({ ...source.result, ...source.kept, skipped: CHANGING });
    else results.push(...(await writeSources(project, [await source.again()], attempts - 1)));
  }
  return results;
}

const ATTEMPTS = 5;
const CHANGING = 'it kept changing while it was read; the next ingestion reads it again';

/** The number of chunks to write or delete. */
export function countWrites(prepared: PreparedSource): number {
  if (!isPending(prepared)) return 0;
  return prepared.change.document?.chunks.length ?? Math.max(1, prepared.kept.chunks);
}

function isPending(prepared: PreparedSource): prepared is PendingSource {
  return 'change' in prepared;
}

function isGone(prepared: PreparedSource): boolean {
  return !isPending(prepared) && prepared.state === 'gone';
}

function isRead(found: KnownSource | ReadSource): found is ReadSource {
  return 'toDocument' in found;
}

function knownAsDone(source: Source, context: SourceContext): KnownSource | undefined {
  const known = context.indexed && source.known();
  return known && isDone(known, context) ? known : undefined;
}

function isDone({ contentHash }: KnownSource, { indexed, unchanged }: SourceContext): boolean {
  if (contentHash !== indexed?.contentHash) return false;
  return unchanged === 'skip' || indexed.documentChunkCount <= indexed.chunkCount;
}

/**
 * Parses a source and finds its citations. If a note was rewritten, all its citations are judged against the current
 * files.
 */
async function toDocument(
  reading: ReadSource,
  { cite, indexed, former }: SourceContext,
): Promise<SourceDocument> {
  const document = await cite(reading.toDocument());
  const isSame = former ?? (indexed && readTextHash(indexed) === readTextHash(reading));
  return document.sourceType === 'manual' && !isSame
    ? { ...document, citations: 'renewed' }
    : document;
}

/** The hash of the text alone: equal for equal texts, even if they are cut by different rules. */
function readTextHash({ contentHash }: Pick<IndexedSource, 'contentHash'>): string | undefined {
  return contentHash.split(':').at(-1);
}

/** Adds the previous path of a moved source. If there is a file at that path after all, the source was not moved. */
async function withFormer(
  document: SourceDocument,
  { former }: SourceContext,
): Promise<SourceDocument> {
  if (former === undefined || (await former.isReadable())) return document;
  return { ...document, movedFrom: former.sourceFile };
}
