import { takeHead } from '../../../domain/text.js';
import {
  integers,
  loadNetwork,
  type NetworkPlace,
  specialTokens,
  type Tokenizer,
} from './loaded-network.js';
import type { Network } from './network.js';

/** A model that reads a query and a passage together and scores how well the passage answers. */
export class CrossEncoder {
  readonly #tokenizer: Tokenizer;
  readonly #network: Network;
  readonly #first: number;
  readonly #last: number;

  private constructor(tokenizer: Tokenizer, network: Network) {
    this.#tokenizer = tokenizer;
    this.#network = network;
    [this.#first, this.#last] = specialTokens(tokenizer);
  }

  /**
   * Loads the quantized model from `<modelsDirectory>/<model>`; never uses the network.
   * @throws Error if a file is missing or invalid
   */
  static async load(place: NetworkPlace): Promise<CrossEncoder> {
    const { tokenizer, network } = await loadNetwork(place, 'pairs');
    return new CrossEncoder(tokenizer, network);
  }

  /**
   * Returns the score of the piece of a document that answers best. Pieces are scored one after the other. `isOver` is
   * called before each, and ends the scoring if it returns true.
   * @throws Error if the model returns no score
   */
  async score(query: string, document: string, isOver: () => Promise<boolean>): Promise<number> {
    const question = [this.#first, ...this.#tokenize(query).slice(0, QUERY_TOKENS), this.#last];
    let best = Number.NEGATIVE_INFINITY;
    const text = takeHead(document, DOCUMENT_CHARACTERS);
    for (const piece of cutPieces(this.#tokenize(text))) {
      if (await isOver()) break;
      best = Math.max(best, await this.#scorePair(question, [...piece, this.#last]));
    }
    return best;
  }

  #tokenize(text: string): readonly number[] {
    return text === '' ? [] : this.#tokenizer.encode(text, null, { add_special_tokens: false });
  }

  async #scorePair(question: readonly number[], piece: readonly number[]): Promise<number> {
    const ids = [...question, ...piece];
    const types = [...question.map(() => 0), ...piece.map(() => 1)];
    const { logits } = await this.#network({
      input_ids: integers(ids),
      attention_mask: integers(ids.map(() => 1)),
      token_type_ids: integers(types),
    });
    const [score, ...others] = logits?.data ?? [];
    if (score === undefined || others.length > 0)
      throw new Error('the model does not return a single score');
    return score;
  }
}

/** Limit of a document; longer than any chunk that was cut by tokens. */
const DOCUMENT_CHARACTERS = 8_000;
const QUERY_TOKENS = 128;
/** Size of a piece. The best piece ranks a chunk better than its beginning alone does. */
const PIECE_TOKENS = 128;

/** Cuts tokens into pieces. Returns at least one, which is empty if there are no tokens. */
function cutPieces(tokens: readonly number[]): readonly (readonly number[])[] {
  const count = Math.max(1, Math.ceil(tokens.length / PIECE_TOKENS));
  return Array.from({ length: count }, (_, index) =>
    tokens.slice(index * PIECE_TOKENS, (index + 1) * PIECE_TOKENS),
  );
}
