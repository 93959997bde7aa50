import type { SourceDocument } from '../chunks/chunk.js';
import type { PlacedDraft } from '../chunks/source-plan.js';
import type { Citation } from './citation.js';

/** What a store writes when the chunks of a source are replaced: first it drops, then it adds. */
export interface CitationChange {
  /** Ids of chunks that are kept, but not with their citations. */
  readonly dropped: readonly string[];
  /** Only for chunks that have no citations by then. */
  readonly added: readonly CitingChunk[];
}

export interface CitingChunk {
  readonly chunkId: string;
  readonly citations: readonly Citation[];
}

/** A chunk that is kept keeps its citations, unless the document says that all are renewed. */
export function citationChange(
  {
    kept,
    added,
  }: { readonly kept: readonly PlacedDraft[]; readonly added: readonly PlacedDraft[] },
  { citations = 'kept' }: Pick<SourceDocument, 'citations'>,
): CitationChange {
  return {
    dropped: citations === 'renewed' ? kept.map(({ id }) => id) : [],
    added: [...added, ...kept].flatMap(({ id, draft }) =>
      draft.citations?.length ? [{ chunkId: id, citations: draft.citations }] : [],
    ),
  };
}
