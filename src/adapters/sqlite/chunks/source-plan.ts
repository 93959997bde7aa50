import type { DraftChunk } from '../../../domain/chunks/chunk.js';

export interface OwnedRow {
  readonly id: string;
  readonly chunk_index: number;
  readonly heading: string | null;
  readonly content: string;
}

export interface PlacedDraft {
  readonly id: string;
  readonly place: number;
  readonly draft: DraftChunk;
}

export interface KeptRow extends PlacedDraft {
  readonly formerId: string;
}

export interface Plan {
  readonly kept: readonly KeptRow[];
  readonly added: readonly PlacedDraft[];
  readonly dropped: readonly OwnedRow[];
}

/** Gives each draft the row that holds its text: the one at its place, or else the first one left. */
export function planRows(rows: readonly OwnedRow[], drafts: readonly PlacedDraft[]): Plan {
  const left = new Map(rows.map((row) => [row.id, row]));
  const takeRow = (found: OwnedRow | undefined) => {
    if (found !== undefined) left.delete(found.id);
    return found;
  };
  const inPlace = new Map(
    drafts.map((placed) => {
      const row = left.get(placed.id);
      return [placed, row && textKey(row) === textKey(placed.draft) ? takeRow(row) : undefined];
    }),
  );
  const byText = new Map<string, OwnedRow[]>();
  for (const row of left.values()) {
    byText.set(textKey(row), [...(byText.get(textKey(row)) ?? []), row]);
  }
  const matched = drafts.map((placed) => ({
    placed,
    row: inPlace.get(placed) ?? takeRow(byText.get(textKey(placed.draft))?.shift()),
  }));
  return {
    kept: matched.flatMap(({ placed, row }) => (row ? [{ ...placed, formerId: row.id }] : [])),
    added: matched.flatMap(({ placed, row }) => (row ? [] : [placed])),
    dropped: [...left.values()],
  };
}

function textKey(text: { readonly heading?: string | null; readonly content: string }): string {
  return JSON.stringify([text.heading ?? null, text.content]);
}
