import type { Citation } from '../citations/citation.js';
import { chunkId, type DraftChunk, type SourceDocument } from './chunk.js';

/** The parts of a stored chunk that are compared with a draft. */
export interface ExistingChunk {
  readonly id: string;
  readonly heading?: string | null | undefined;
  readonly content: string;
}

/** A draft and its place: its index among the chunks of the source. */
export interface PlacedDraft {
  /** `<sourceFile>#<place>`: the id that the chunk will have. */
  readonly id: string;
  readonly place: number;
  readonly draft: DraftChunk;
}

/** A draft and the existing chunk with the same text, which may have been at another place. */
export interface KeptChunk<Existing> extends PlacedDraft {
  readonly existing: Existing;
}

interface SourcePlan<Existing> {
  /** In the order of the document. */
  readonly kept: readonly KeptChunk<Existing>[];
  /** In the order of the document. */
  readonly added: readonly PlacedDraft[];
  readonly dropped: readonly Existing[];
}

interface SourceChange<Existing> {
  readonly document: SourceDocument;
  /** The stored chunks of the source, in the order of their places. */
  readonly existing: readonly Existing[];
  /**
   * The previous path of the source, which had the same content: `existing` holds its chunks, and drafts for its pruned
   * chunks are left out.
   */
  readonly movedFrom?: string | undefined;
}

/**
 * Decides which existing chunk is kept for each draft: the one at its place if it has the same heading and content,
 * else the first unused one that does. Takes linear time.
 */
export function planSource<Existing extends ExistingChunk>({
  document,
  existing,
  movedFrom,
}: SourceChange<Existing>): SourcePlan<Existing> {
  const isWanted = movedFrom === undefined ? () => true : hasChunkAt(existing, movedFrom);
  const drafts = placedDrafts(document).filter(({ place }) => isWanted(place));
  const inPlace = matchPlaces(drafts, existing);
  const matched = new Set(inPlace.values());
  const moved = queuesBy(
    existing.filter((chunk) => !matched.has(chunk)),
    textKey,
  );
  const takeMoved = ({ draft }: PlacedDraft) =>
    moved.size === 0 ? undefined : moved.get(textKey(draft))?.next().value;
  const kept: KeptChunk<Existing>[] = [];
  const added: PlacedDraft[] = [];
  for (const placed of drafts) {
    const chunk = inPlace.get(placed) ?? takeMoved(placed);
    if (chunk === undefined) {
      added.push(placed);
      continue;
    }
    kept.push({ ...placed, existing: chunk });
    matched.add(chunk);
  }
  return { kept, added, dropped: existing.filter((chunk) => !matched.has(chunk)) };
}

/** The ids of all chunks of a document, by place. */
export function listIds({ sourceFile, chunks }: SourceDocument): readonly string[] {
  return chunks.map((_, place) => chunkId(sourceFile, place));
}

function placedDrafts({ sourceFile, chunks }: SourceDocument): readonly PlacedDraft[] {
  return chunks.map((draft, place) => ({ id: chunkId(sourceFile, place), place, draft }));
}

function hasChunkAt(
  existing: readonly ExistingChunk[],
  sourceFile: string,
): (place: number) => boolean {
  const ids = new Set(existing.map(({ id }) => id));
  return (place) => ids.has(chunkId(sourceFile, place));
}

function matchPlaces<Existing extends ExistingChunk>(
  drafts: readonly PlacedDraft[],
  existing: readonly Existing[],
): ReadonlyMap<PlacedDraft, Existing> {
  const byId = new Map(existing.map((chunk) => [chunk.id, chunk]));
  return new Map(
    drafts.flatMap((placed) => {
      const chunk = byId.get(placed.id);
      const isSame = chunk !== undefined && hasSameText(chunk, placed.draft);
      return isSame ? [[placed, chunk]] : [];
    }),
  );
}

function hasSameText(chunk: ExistingChunk, { heading, content }: DraftChunk): boolean {
  return (chunk.heading ?? undefined) === heading && chunk.content === content;
}

function textKey({ heading, content }: Pick<ExistingChunk, 'heading' | 'content'>): string {
  return JSON.stringify([heading ?? null, content]);
}

/** The identity of a source, for comparisons. */
export interface HashedSource {
  /** Relative to the project, with `/`. */
  readonly sourceFile: string;
  /** Equal hashes mean equal chunks. */
  readonly contentHash: string;
}

/**
 * Detects moved sources: pairs each new source's path with a gone source that had the same content. Each is used once;
 * among several, one with the same file name is preferred, then the first. Takes linear time.
 * @param gone sorted by path, like `arrived`, because files of a renamed folder keep their order
 */
export function planMoves<Gone extends HashedSource>(
  gone: readonly Gone[],
  arrived: readonly HashedSource[],
): ReadonlyMap<string, Gone> {
  const left = new Set(gone);
  const moves = new Map<string, Gone>();
  for (const keyOf of [hashAndName, hash]) {
    const queues = queuesBy(left, keyOf);
    for (const source of arrived) {
      if (moves.has(source.sourceFile)) continue;
      const former = queues.get(keyOf(source))?.next().value;
      if (former === undefined) continue;
      moves.set(source.sourceFile, former);
      left.delete(former);
    }
  }
  return moves;
}

function hashAndName({ sourceFile, contentHash }: HashedSource): string {
  return JSON.stringify([contentHash, sourceFile.slice(sourceFile.lastIndexOf('/') + 1)]);
}

function hash({ contentHash }: HashedSource): string {
  return contentHash;
}

/** Groups items by key, in order, so that each can be taken once: `queues.get(key)?.next().value`. */
function queuesBy<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): ReadonlyMap<string, Iterator<T, undefined>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return new Map(Array.from(groups, ([key, group]) => [key, group.values()]));
}

/** Changes to the citations of a source: first deletions, then additions. */
export interface CitationChange {
  /** Ids of kept chunks whose citations are deleted. */
  readonly dropped: readonly string[];
  /** Only for chunks that then have no citations. */
  readonly added: readonly CitingChunk[];
}

interface CitingChunk {
  readonly chunkId: string;
  readonly citations: readonly Citation[];
}

/** A kept chunk keeps its citations, unless the document says that they are renewed. */
export function citationChange(
  {
    kept,
    added,
  }: { readonly kept: readonly PlacedDraft[]; readonly added: readonly PlacedDraft[] },
  { citations }: Pick<SourceDocument, 'citations'>,
): CitationChange {
  return {
    dropped: citations === 'renewed' ? kept.map(({ id }) => id) : [],
    added: [...added, ...kept].flatMap(({ id, draft }) =>
      draft.citations?.length ? [{ chunkId: id, citations: draft.citations }] : [],
    ),
  };
}
