import { FUNCTION_ARGUMENT } from './messages.js';

/** The arguments of a call as they can be sent to a thread. */
export interface SentArguments {
  readonly args: readonly unknown[];
  /** The function among the arguments, if there is one. */
  readonly ask?: () => Promise<unknown>;
  /** The memory of the copied vectors, which can be handed over. */
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Copies vectors, so that they can be handed over without taking them from the caller, and without the
 * memory around them; leaves functions behind.
 */
export function toSentArguments(args: readonly unknown[]): SentArguments {
  const transfer: ArrayBuffer[] = [];
  const copied = (value: unknown): unknown => {
    if (value instanceof Float32Array) return copyOf(value, transfer);
    if (Array.isArray(value)) return value.map(copied);
    if (hasVector(value)) return { ...value, vector: copyOf(value.vector, transfer) };
    return typeof value === 'function' ? FUNCTION_ARGUMENT : value;
  };
  const ask = args.find((value): value is () => Promise<unknown> => typeof value === 'function');
  return { args: args.map(copied), transfer, ...(ask && { ask }) };
}

function copyOf(vector: Float32Array, transfer: ArrayBuffer[]): Float32Array {
  const copy = Float32Array.from(vector);
  transfer.push(copy.buffer);
  return copy;
}

function hasVector(value: unknown): value is { readonly vector: Float32Array } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'vector' in value &&
    value.vector instanceof Float32Array
  );
}
