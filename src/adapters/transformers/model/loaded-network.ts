import { join } from 'node:path';
import {
  AutoModel,
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  Tensor,
} from '@xenova/transformers';
import { loadNativeNetwork, type Network } from './network.js';

export interface NetworkPlace {
  /** The folder that contains `<owner>/<name>`. */
  readonly modelsDirectory: string;
  readonly model: string;
  /** The folder of onnxruntime-node. Without it, the model runs in WebAssembly. */
  readonly nativeRuntime?: string | undefined;
}

/** The part of a tokenizer of transformers.js that is used here. */
export interface Tokenizer {
  encode(text: string, pair?: null, options?: { readonly add_special_tokens: boolean }): number[];
}

export interface LoadedNetwork {
  readonly tokenizer: Tokenizer;
  readonly network: Network;
}

/** The classes of models: `sentences` returns vectors of tokens, `pairs` returns scores. */
const MODELS = { sentences: AutoModel, pairs: AutoModelForSequenceClassification };

/**
 * Loads the tokenizer and the quantized weights from `<modelsDirectory>/<model>`; never uses the network.
 * @throws Error if a file is missing or invalid
 */
export async function loadNetwork(
  { modelsDirectory, model, nativeRuntime }: NetworkPlace,
  kind: keyof typeof MODELS,
): Promise<LoadedNetwork> {
  readOnlyFrom(modelsDirectory);
  const options = { quantized: true, local_files_only: true };
  const tokenizer: Tokenizer = await AutoTokenizer.from_pretrained(model, options);
  const network =
    nativeRuntime === undefined
      ? wasmNetwork(await MODELS[kind].from_pretrained(model, options))
      : await loadNativeNetwork(nativeRuntime, join(modelsDirectory, model, WEIGHTS));
  return { tokenizer, network };
}

const WEIGHTS = 'onnx/model_quantized.onnx';

function wasmNetwork(run: (inputs: object) => ReturnType<Network>): Network {
  const toTensor = (data: BigInt64Array) => new Tensor('int64', data, [1, data.length]);
  return (inputs) => {
    const tensors = Object.entries(inputs).map(([name, data]) => [name, toTensor(data)]);
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

/** Returns the two special tokens between which the tokenizer puts a text. @throws Error if it does something else */
export function specialTokens(tokenizer: Tokenizer): readonly [first: number, last: number] {
  const [first, last, ...others] = tokenizer.encode('');
  if (first === undefined || last === undefined || others.length > 0) {
    throw new Error('the tokenizer does not put a text between two special tokens');
  }
  return [first, last];
}

export function integers(values: readonly number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}
