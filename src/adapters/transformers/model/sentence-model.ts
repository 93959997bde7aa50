import { normalizedMean, type Vector } from '../../../domain/ranking/vector.js';
import {
  integers,
  loadNetwork,
  type NetworkPlace,
  specialTokens,
  type Tokenizer,
} from './loaded-network.js';
import type { ModelSettings, TextRole } from './model-settings.js';
import type { Network } from './network.js';
import { pool, tokenWindows } from './pooling.js';

/** A sentence transformer in memory, run on one thread. */
export interface SentenceModel {
  /** Returns the vector of a text, of length 1, or all zeros if the average of its windows is zero. */
  embed(text: string, role: TextRole): Promise<Vector>;
  /** Makes the running call fail before its next window, and all later calls. */
  stop(): void;
}

export interface ModelPlace extends NetworkPlace {
  readonly settings: ModelSettings;
}

/**
 * Loads the quantized model from `<modelsDirectory>/<model>`; never uses the network.
 * @throws Error if a file is missing or invalid
 */
export async function loadSentenceModel(place: ModelPlace): Promise<SentenceModel> {
  const { tokenizer, network } = await loadNetwork(place, 'sentences');
  return new WindowedModel(tokenizer, network, place.settings);
}

class WindowedModel implements SentenceModel {
  readonly #tokenizer: Tokenizer;
  readonly #network: Network;
  readonly #settings: ModelSettings;
  readonly #first: number;
  readonly #last: number;
  #isStopped = false;

  constructor(tokenizer: Tokenizer, network: Network, settings: ModelSettings) {
    const [first, last] = specialTokens(tokenizer);
    this.#tokenizer = tokenizer;
    this.#network = network;
    this.#settings = settings;
    this.#first = first;
    this.#last = last;
    for (const role of ['query', 'passage'] as const) this.#cutWindows('', role);
  }

  async embed(text: string, role: TextRole): Promise<Vector> {
    const { prompt, windows } = this.#cutWindows(text, role);
    const vectors: Vector[] = [];
    // One window per run, because the quantized model scales activations over a whole batch.
    for (const window of windows) vectors.push(await this.#embedWindow(prompt, window));
    return normalizedMean(vectors) ?? new Float32Array(vectors[0]?.length ?? 0);
  }

  /** @throws Error if the prompt leaves no room for text */
  #cutWindows(text: string, role: TextRole) {
    const { prompts, maxTokens } = this.#settings;
    const tokens = this.#tokenize(prompts[role] + text);
    const promptLength = commonStart(this.#tokenize(prompts[role]), tokens);
    const size = maxTokens - SPECIAL_TOKENS - promptLength;
    if (size < 1)
      throw new Error(`its longest input of ${maxTokens} tokens leaves no room for text`);
    const windows = tokenWindows(tokens.slice(promptLength), size);
    return { prompt: tokens.slice(0, promptLength), windows };
  }

  #tokenize(text: string): readonly number[] {
    if (text === '') return [];
    const read = this.#settings.lowersCase ? text.toLowerCase() : text;
    return this.#tokenizer.encode(read, null, { add_special_tokens: false });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #embedWindow(prompt: readonly number[], window: readonly number[]): Promise<Vector> {
    if (this.#isStopped) throw new Error('the model was closed');
    const { pooling, poolsPrompt, normalizes } = this.#settings;
    const ids = [this.#first, ...prompt, ...window, this.#last];
    const { last_hidden_state: states } = await this.#network({
      input_ids: integers(ids),
      attention_mask: integers(ids.map(() => 1)),
      token_type_ids: integers(ids.map(() => 0)),
    });
    if (states === undefined) throw new Error('the model returns no last_hidden_state');
    const from = poolsPrompt || prompt.length === 0 ? 0 : 1 + prompt.length;
    return pool(states.data, { width: states.dims.at(-1) ?? 0, pooling, normalizes, from });
  }
}

const SPECIAL_TOKENS = 2;

/**
 * The number of tokens that belong to the prompt. Some tokenizers join the end of a prompt with the text after it; such
 * tokens count as text.
 */
function commonStart(prompt: readonly number[], tokens: readonly number[]): number {
  const difference = prompt.findIndex((token, index) => tokens[index] !== token);
  return difference === -1 ? prompt.length : difference;
}
