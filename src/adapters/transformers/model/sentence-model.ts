import { AutoModel, AutoTokenizer, env, Tensor } from '@xenova/transformers';
import { normalized, normalizedMean, type Vector } from '../../../domain/ranking/vector.js';
import { tokenWindows } from './token-windows.js';

/** A sentence transformer in memory, run in WebAssembly on one thread. */
export interface SentenceModel {
  /**
   * The vector of a text, of length 1; all zeros if the average of its windows is zero. `checkpoint` is
   * awaited before each window; if it throws, the call fails with that error.
   */
  embed(text: string, checkpoint?: () => Promise<void>): Promise<Vector>;
}

/**
 * Loads the quantized model from `<modelsDirectory>/<model>`; never uses the network.
 * @throws Error if a file is missing or invalid
 */
export async function loadSentenceModel(
  modelsDirectory: string,
  model: string,
): Promise<SentenceModel> {
  readOnlyFrom(modelsDirectory);
  const options = { quantized: true, local_files_only: true };
  const tokenizer: Tokenizer = await AutoTokenizer.from_pretrained(model, options);
  const network = (await AutoModel.from_pretrained(model, options)) as unknown as Network;
  return new WindowedModel(tokenizer, network);
}

/** The parts of transformers.js that are used here. */
interface Tokenizer {
  encode(text: string, pair?: null, options?: { readonly add_special_tokens: boolean }): number[];
}

type Network = (inputs: Readonly<Record<string, Tensor>>) => Promise<{
  readonly last_hidden_state?: { readonly data: Float32Array; readonly dims: readonly number[] };
}>;

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
  readonly #first: number;
  readonly #last: number;

  constructor(tokenizer: Tokenizer, network: Network) {
    const [first, last, ...others] = tokenizer.encode('');
    if (first === undefined || last === undefined || others.length > 0) {
      throw new Error('the tokenizer does not put a text between two special tokens');
    }
    this.#tokenizer = tokenizer;
    this.#network = network;
    this.#first = first;
    this.#last = last;
  }

  async embed(text: string, checkpoint?: () => Promise<void>): Promise<Vector> {
    await checkpoint?.();
    const tokens = this.#tokenizer.encode(text, null, { add_special_tokens: false });
    const vectors: Vector[] = [];
    // One window per run, because the quantized model scales activations over a whole batch.
    for (const window of tokenWindows(tokens)) {
      if (vectors.length > 0) await checkpoint?.();
      vectors.push(await this.#embedWindow(window));
    }
    return normalizedMean(vectors) ?? new Float32Array(vectors[0]?.length ?? 0);
  }

  async #embedWindow(window: readonly number[]): Promise<Vector> {
    const ids = [this.#first, ...window, this.#last];
    const { last_hidden_state: states } = await this.#network({
      input_ids: tensorOf(ids),
      attention_mask: tensorOf(ids.map(() => 1)),
      token_type_ids: tensorOf(ids.map(() => 0)),
    });
    if (states === undefined) throw new Error('the model returns no last_hidden_state');
    const sum = sumOfRows(states.data, states.dims.at(-1) ?? 0);
    return normalized(sum) ?? sum;
  }
}

function tensorOf(values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
}

/** The sum has the direction of the mean, so scaling it to length 1 gives the normalized mean. */
function sumOfRows(data: Float32Array, width: number): Vector {
  const sum = new Float32Array(width);
  for (let i = 0; i < data.length; i += 1) {
    const column = i % width;
    sum[column] = (sum[column] as number) + (data[i] as number);
  }
  return sum;
}
