import type { ResolveHook } from 'node:module';

/**
 * Module hook that replaces the native modules `onnxruntime-node` and `sharp`, which transformers.js imports. Overrides
 * in our package.json would have no effect in projects that depend on this package.
 */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  if (specifier === 'sharp') return { url: NO_IMAGES, format: 'module', shortCircuit: true };
  return nextResolve(specifier === 'onnxruntime-node' ? 'onnxruntime-web' : specifier, context);
};

const NO_IMAGES =
  'data:text/javascript,export default function sharp() { throw new Error("Images are not supported."); }';
