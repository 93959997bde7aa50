import { errorReason } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';
import { ModelThread, type ThreadStart } from './model-thread.js';

/** `native` is onnxruntime-node, which is not part of this package; `auto` uses it if it is installed. */
export type RuntimeChoice = 'wasm' | 'native' | 'auto';

interface ModelRuntimeOptions {
  readonly choice: RuntimeChoice;
  /** Finds the folder of the native runtime; undefined if it is not installed. */
  readonly findNative: () => string | undefined;
  readonly logger: Logger;
}

/** Starts threads with a model on the chosen runtime. */
export class ModelRuntime {
  readonly #choice: RuntimeChoice;
  readonly #logger: Logger;
  #native: string | undefined;

  constructor({ choice, findNative, logger }: ModelRuntimeOptions) {
    this.#choice = choice;
    this.#logger = logger;
    this.#native = choice === 'wasm' ? undefined : findNative();
  }

  get name(): 'wasm' | 'native' {
    return this.#native !== undefined || this.#choice === 'native' ? 'native' : 'wasm';
  }

  /** The reason why no thread can be started, as part of a sentence. */
  get problem(): string | undefined {
    return this.name === 'native' && this.#native === undefined ? NOT_INSTALLED : undefined;
  }

  /**
   * Starts a thread. With `auto`, falls back to WebAssembly if the native runtime fails. @throws Error with the reason
   */
  async start(start: Omit<ThreadStart, 'nativeRuntime'>): Promise<ModelThread> {
    try {
      return await ModelThread.start({ ...start, nativeRuntime: this.#native });
    } catch (error) {
      const isFinal = this.#native === undefined || this.#choice !== 'auto';
      if (isFinal || start.signal.aborted) throw error;
      const reason = errorReason(error);
      const message = 'The native runtime cannot be used; the model runs in WebAssembly.';
      this.#logger.warn(message, { reason });
      this.#native = undefined;
      return ModelThread.start(start);
    }
  }
}

const NOT_INSTALLED =
  'KNOWLEDGE_RUNTIME is native, but the package onnxruntime-node is not installed; to install it, run "npm install --global onnxruntime-node"';
