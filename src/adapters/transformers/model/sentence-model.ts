import { join } from 'node:path';
import { AutoModel, AutoTokenizer, env, Tensor } from '@xenova/transformers';
import { normalizedMean, type Vector } from '../../../domain/ranking/vector.js';
import type { ModelSettings, TextRole } from './model-settings.js';
import { loadNativeNetwork, type Network } from './network.js';
import { pooled, tokenWindows } from './pooling.js';

/** A sentence transformer in memory, run on one thread. */
export interface SentenceModel {
  /** The vector of a text, of length 1; all zeros if the average of its windows is zero. */
  embed(text: string, role: TextRole): Promise<Vector>;
  /** Makes the running call fail before its next window. */
  stop(): void;
}

export interface ModelPlace {
  /** The folder that contains `<owner>/<name>`. */
  readonly modelsDirectory: string;
  readonly model: string;
  readonly settings: ModelSettings;
  /** The folder of onnxruntime-node; without it the model runs in WebAssembly. */
  readonly nativeRuntime?: string | undefined;
}

/**
 * Loads the quantized model from `<modelsDirectory>/<model>`; never uses the network.
 * @throws Error if a file is missing or invalid
 */
export async function loadSentenceModel(place: ModelPlace): Promise<SentenceModel> {
  const { modelsDirectory, model, settings, nativeRuntime } = place;
  readOnlyFrom(modelsDirectory);
  const options = { quantized: true, local_files_only: true };
  const tokenizer: Tokenizer = await AutoTokenizer.from_pretrained(model, options);
  const network =
    nativeRuntime === undefined
      ? await loadWasmNetwork(model, options)
      : await loadNativeNetwork(nativeRuntime, join(modelsDirectory, model, WEIGHTS));
  return new WindowedModel(tokenizer, network, settings);
}

/** The parts of transformers.js that are used here. */
interface Tokenizer {
  encode(text: string, pair?: null, options?: { readonly add_special_tokens: boolean }): number[];
}

const WEIGHTS = 'onnx/model_quantized.onnx';

async function loadWasmNetwork(model: string, options: object): Promise<Network> {
  const run = await AutoModel.from_pretrained(model, options);
  const tensorOf = (data: BigInt64Array) => new Tensor('int64', data, [1, data.length]);
  return (inputs) => {
    const tensors = Object.entries(inputs).map(([name, data]) => [name, tensorOf(data)]);
    return run(Object.fromEntries(tensors));
  };
}

function readOnlyFrom(modelsDirectory: string): void {
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.useBrowserCache = false;
  env.localModelPath = modelsDirectory;
  // Two threads crash in onnxruntime-web 1.14.
  env.backends.onnx.wasm.numThreads = 1;
}

class WindowedModel implements SentenceModel {
  readonly #tokenizer: Tokenizer;
  readonly #network: Network;
  readonly #settings: ModelSettings;
  readonly #first: number;
  readonly #last: number;
  #isStopped = false;

  constructor(tokenizer: Tokenizer, network: Network, settings: ModelSettings) {
    const [first, last, ...others] = tokenizer.encode('');
    if (first === undefined || last === undefined || others.length > 0) {
      throw new Error('the tokenizer does not put a text between two special tokens');
    }
    this.#tokenizer = tokenizer;
    this.#network = network;
    this.#settings = settings;
    this.#first = first;
    this.#last = last;
    for (const role of ['query', 'passage'] as const) this.#windowsOf('', role);
  }

  async embed(text: string, role: TextRole): Promise<Vector> {
    const { prompt, windows } = this.#windowsOf(text, role);
    const vectors: Vector[] = [];
    // One window per run, because the quantized model scales activations over a whole batch.
    for (const window of windows) vectors.push(await this.#embedWindow(prompt, window));
    return normalizedMean(vectors) ?? new Float32Array(vectors[0]?.length ?? 0);
  }

  /** @throws Error if the prompt leaves no place for text */
  #windowsOf(text: string, role: TextRole) {
    const { prompts, maxTokens } = this.#settings;
    const tokens = this.#tokensOf(prompts[role] + text);
    const promptLength = commonStart(this.#tokensOf(prompts[role]), tokens);
    const size = maxTokens - SPECIAL_TOKENS - promptLength;
    if (size < 1) throw new Error(`its longest input of ${maxTokens} tokens leaves none for text`);
    const windows = tokenWindows(tokens.slice(promptLength), size);
    return { prompt: tokens.slice(0, promptLength), windows };
  }

  #tokensOf(text: string): readonly number[] {
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
    return pooled(states.data, { width: states.dims.at(-1) ?? 0, pooling, normalizes, from });
  }
}

const SPECIAL_TOKENS = 2;

function integers(values: readonly number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}

/** Some tokenizers join the end of a prompt with the text after it; those tokens count as text. */
function commonStart(prompt: readonly number[], tokens: readonly number[]): number {
  const difference = prompt.findIndex((token, index) => tokens[index] !== token);
  return difference === -1 ? prompt.length : difference;
}
