import { describe, expect, it } from 'vitest';
import { resolve } from '../../../src/adapters/transformers/model/native-module-replacements.js';

const context = {
  conditions: [],
  importAttributes: {},
  importAssertions: {},
  parentURL: undefined,
};
const next = (specifier: string) => ({ url: `resolved:${specifier}` });

describe('the module hook of the worker', () => {
  it('puts the runtime in WebAssembly in the place of the native one', async () => {
    expect(await resolve('onnxruntime-node', context, next)).toEqual({
      url: 'resolved:onnxruntime-web',
    });
  });

  it('puts a function that refuses images in the place of sharp', async () => {
    const { url } = await resolve('sharp', context, next);
    const { default: sharp } = (await import(url)) as { readonly default: () => void };
    expect(sharp).toThrow('Images are not supported.');
  });

  it('leaves every other module alone', async () => {
    expect(await resolve('onnxruntime-web', context, next)).toEqual({
      url: 'resolved:onnxruntime-web',
    });
  });
});
