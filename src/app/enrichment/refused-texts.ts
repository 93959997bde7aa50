import { errorReason, KnowledgeError } from '../../domain/errors.js';
import { type Embedder, type EmbeddingModel, TRIAL_TEXT } from '../../ports/embedder.js';
import type {
  ComparedKind,
  ComparisonStatus,
  DerivedEntries,
  DerivedFrom,
  VectorIndex,
} from '../../ports/vector-index.js';

/** A text refused by a model, and the model's reason. */
export interface Refusal {
  /** Id of the chunk; for a header, its source file. */
  readonly id: string;
  readonly reason: string;
}

/** The texts of one project refused by a model. They are set aside until the text changes or the process ends. */
export class RefusedTexts {
  readonly #refusals = new Map<string, KnownRefusal>();

  get size(): number {
    return this.#refusals.size;
  }

  add(kind: Kind, text: DerivedFrom, reason: string): void {
    this.#refusals.set(textKey(text), { kind, id: text.id, reason });
  }

  /**
   * Forgets texts that changed or are gone.
   * @param pending all waiting texts of this kind
   */
  keepPending(kind: Kind, pending: readonly DerivedFrom[]): void {
    const keys = new Set(pending.map(textKey));
    for (const [key, refusal] of this.#refusals) {
      if (refusal.kind === kind && !keys.has(key)) this.#refusals.delete(key);
    }
  }

  has(text: DerivedFrom): boolean {
    return this.#refusals.has(textKey(text));
  }

  list(): readonly Refusal[] {
    return [...this.#refusals.values()];
  }

  /** The files whose headers are refused. */
  get headers(): readonly string[] {
    return [...this.#refusals.values()].flatMap(({ kind, id }) => (kind === 'headers' ? [id] : []));
  }
}

type Kind = keyof DerivedEntries;

interface KnownRefusal extends Refusal {
  readonly kind: Kind;
}

/** The refused texts of a project, by the kind of derived data. */
export interface Refusals {
  readonly embeddings: RefusedTexts;
  readonly hype: RefusedTexts;
}

/**
 * Counts the chunks that have the vectors used by search, and those that lack them. Refused texts do not count as
 * pending, nor do headers if there is no model.
 */
export async function countVectors(
  { store, refusals }: { readonly store: Stored; readonly refusals: Refusals },
  kind: ComparedKind,
  embedder: Pick<EmbeddingModel, 'status'>,
): Promise<ComparisonStatus> {
  const refused = kind === 'content' ? refusals.embeddings : refusals.hype;
  const { headers } = refused;
  const isStored = kind === 'content' && embedder.status().state === 'absent';
  const { pending, ...status } = await store.vectors.status(isStored ? 'stored' : kind, headers);
  return { ...status, pending: Math.max(0, pending - (refused.size - headers.length)) };
}

interface Stored {
  readonly vectors: Pick<VectorIndex, 'status'>;
}

export function noRefusals(): Refusals {
  return { embeddings: new RefusedTexts(), hype: new RefusedTexts() };
}

/** Identifies a text and its place. A changed text has another key. */
export function textKey({ id, texts }: DerivedFrom): string {
  return [id, ...texts].join('\n');
}

type Refused<Text> = readonly (readonly [text: Text, reason: string])[];

/**
 * Calls `embed` for a batch, and finds refused texts by halving the batch. A refused text is tried again after a trial
 * text has shown that the model works. Returns the refused texts. Errors are classified as in `Embedder.embedBatch`.
 * @throws the model's error if it is unavailable, or refuses the trial text too
 */
export async function embedWithoutRefused<Text extends DerivedFrom>(
  batch: readonly Text[],
  embed: (batch: readonly Text[]) => Promise<void>,
  embedder: Pick<Embedder, 'embedBatch'>,
): Promise<Refused<Text>> {
  const refusal = await tryToEmbed(batch, embed);
  if (refusal === undefined) return [];
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) {
    await embedder.embedBatch([TRIAL_TEXT]);
    const again = await tryToEmbed(batch, embed);
    return again === undefined ? [] : [[only, again]];
  }
  const middle = Math.ceil(batch.length / 2);
  const first = await embedWithoutRefused(batch.slice(0, middle), embed, embedder);
  const second = await embedWithoutRefused(batch.slice(middle), embed, embedder);
  return [...first, ...second];
}

/** Returns why the model refuses these texts, or undefined if it does not. */
async function tryToEmbed<Text>(
  batch: readonly Text[],
  embed: (batch: readonly Text[]) => Promise<void>,
): Promise<string | undefined> {
  try {
    await embed(batch);
    return undefined;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return errorReason(error);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code !== 'internal';
}
