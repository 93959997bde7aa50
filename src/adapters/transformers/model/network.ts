import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A tensor, with its values in row-major order. */
interface NetworkOutput {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Runs a model once: takes the token ids, mask and types of one input, and returns the model's outputs by name. */
export type Network = (inputs: Readonly<Record<string, BigInt64Array>>) => Promise<{
  /** The vectors of the tokens. */
  readonly last_hidden_state?: NetworkOutput;
  /** The scores of the input. */
  readonly logits?: NetworkOutput;
}>;

/** The folder of the package onnxruntime-node with a binary for this machine; undefined if none is installed. */
export function findNativeRuntime(places = packagePlaces()): string | undefined {
  return places.map((place) => join(place, PACKAGE)).find(hasBinary);
}

const PACKAGE = 'onnxruntime-node';

/** Where this package finds others, and where `npm install --global` puts packages for this Node. */
function packagePlaces(): readonly string[] {
  const own = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  const folder = dirname(process.execPath);
  return [...own, join(folder, 'node_modules'), join(folder, '..', 'lib', 'node_modules')];
}

/** Whether a package has a binary for this machine. In our own installation, it is a placeholder without one. */
function hasBinary(folder: string): boolean {
  const bin = join(folder, 'bin');
  if (!existsSync(bin)) return false;
  const { platform, arch } = process;
  return readdirSync(bin).some((api) =>
    existsSync(join(bin, api, platform, arch, 'onnxruntime_binding.node')),
  );
}

/** The part of onnxruntime-node that is used here. */
interface Runtime {
  readonly InferenceSession: {
    create(
      file: string,
      options: object,
    ): Promise<{
      readonly inputNames: readonly string[];
      run(inputs: object): ReturnType<Network>;
    }>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object;
}

/**
 * Loads the network of a model, to run on one thread of the native runtime.
 * @throws Error if the package or the file cannot be used
 */
export async function loadNativeNetwork(runtime: string, file: string): Promise<Network> {
  const { InferenceSession, Tensor }: Runtime = createRequire(import.meta.url)(runtime);
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(file, options);
  return (inputs) => {
    const wanted = session.inputNames.flatMap((name) => {
      const data = inputs[name];
      return data === undefined ? [] : [[name, new Tensor('int64', data, [1, data.length])]];
    });
    return session.run(Object.fromEntries(wanted));
  };
}
