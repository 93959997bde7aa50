import type { ResolveHook } from 'node:module';

/**
 * Module hook that keeps native code out in every installation of this package: transformers.js imports
 * `onnxruntime-node` and `sharp`, and the overrides of our package.json do not apply in projects that depend on it.
 */
export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  if (specifier === 'sharp') return { url: NO_IMAGES, format: 'module', shortCircuit: true };
  return nextResolve(specifier === 'onnxruntime-node' ? 'onnxruntime-web' : specifier, context);
};

const NO_IMAGES =
  'data:text/javascript,export default function sharp() { throw new Error("Images are not supported."); }';
