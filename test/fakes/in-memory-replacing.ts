import {
  type Chunk,
  chunkId,
  type DraftChunk,
  type SourceDocument,
} from '../../src/domain/chunks/chunk.js';
import type { Row, Tables } from './in-memory-disk.js';

interface PlacedDraft {
  readonly id: string;
  readonly place: number;
  readonly draft: DraftChunk;
}

export interface Replacement {
  readonly document: SourceDocument;
  readonly projectPath: string;
  /** ISO 8601. */
  readonly now: string;
}

export function removeSource(tables: Tables, sourceFile: string): void {
  tables.delete(ownedRows(tables, sourceFile));
  tables.sources.delete(sourceFile);
}

/** Makes the chunks of a source those of the document; rows whose text is still there are kept. */
export function writeSource(tables: Tables, replacement: Replacement): void {
  const { document } = replacement;
  const former = ownedRows(tables, document.sourceFile);
  const drafts = document.chunks
    .map((draft, place) => ({ id: chunkId(document.sourceFile, place), place, draft }))
    .filter(({ id }) => tables.row(id)?.owned !== false);
  const kept = matchRows(former, drafts);
  tables.delete(former);
  for (const placed of drafts) {
    const row = kept.get(placed);
    if (row === undefined) tables.insert(newChunk(placed, replacement));
    else tables.put({ ...row, chunk: keptChunk(row.chunk, placed, replacement) });
  }
  tables.sources.set(document.sourceFile, {
    sourceType: document.sourceType,
    sourceFile: document.sourceFile,
    contentHash: document.contentHash,
    chunkCount: document.chunks.length,
  });
}

function ownedRows(tables: Tables, sourceFile: string): readonly Row[] {
  return tables.rows.filter((row) => row.owned && row.chunk.sourceFile === sourceFile);
}

/** The row of each draft that has one: the row at its place, or else the first with its text. */
function matchRows(
  rows: readonly Row[],
  drafts: readonly PlacedDraft[],
): ReadonlyMap<PlacedDraft, Row> {
  const left = new Set(rows.toSorted((a, b) => a.chunk.chunkIndex - b.chunk.chunkIndex));
  const matched = new Map<PlacedDraft, Row>();
  const take = (placed: PlacedDraft, isMatch: (row: Row) => boolean) => {
    const row = [...left].find((candidate) => sameText(candidate, placed) && isMatch(candidate));
    if (row === undefined || matched.has(placed)) return;
    left.delete(row);
    matched.set(placed, row);
  };
  for (const placed of drafts) take(placed, (row) => row.chunk.id === placed.id);
  for (const placed of drafts) take(placed, () => true);
  return matched;
}

function sameText({ chunk }: Row, { draft }: PlacedDraft): boolean {
  return chunk.content === draft.content && chunk.heading === draft.heading;
}

function newChunk(
  { id, place, draft }: PlacedDraft,
  { document, projectPath, now }: Replacement,
): Chunk {
  return {
    id,
    sourceType: document.sourceType,
    sourceFile: document.sourceFile,
    projectPath,
    chunkIndex: place,
    ...(draft.heading !== undefined && { heading: draft.heading }),
    content: draft.content,
    ...(draft.tags !== undefined && draft.tags.length > 0 && { tags: draft.tags }),
    importance: draft.importance,
    createdAt: now,
    updatedAt: now,
  };
}

/** The chunk as it was where nothing differs; else with its new place and metadata. */
function keptChunk(former: Chunk, placed: PlacedDraft, replacement: Replacement): Chunk {
  const { createdAt, updatedAt } = former;
  const same = { ...newChunk(placed, replacement), createdAt, updatedAt };
  const changed = JSON.stringify(sorted(same)) !== JSON.stringify(sorted(former));
  return changed ? { ...same, updatedAt: replacement.now } : former;
}

function sorted(chunk: Chunk): readonly (readonly [string, unknown])[] {
  return Object.entries(chunk).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
