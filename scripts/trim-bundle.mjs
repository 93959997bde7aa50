// Keeps out of the published package what the bundled model runner never loads in Node: four WebAssembly builds, twice,
// source maps and builds for browsers (docs/decisions/0019-bundled-model-runner.md). `npm pack` honours an
// `.npmignore` in a folder of a bundled package; nothing is deleted, so the checkout stays as it was installed.
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folders of bundled packages, and the files of each that stay. */
const KEPT = {
  '@xenova/transformers/dist': ['ort-wasm-simd.wasm'],
  '@xenova/transformers/types': [],
  'onnx-proto/dist': ['onnx.js'],
  'onnxruntime-common/dist': ['ort-common.node.js'],
  'onnxruntime-common/lib': [],
  'onnxruntime-web/dist': ['ort-web.node.js'],
  'onnxruntime-web/docs': [],
  'onnxruntime-web/lib': [],
  'onnxruntime-web/types': [],
  'protobufjs/cli': [],
  'protobufjs/dist': [],
  'protobufjs/ext': [],
};

for (const [folder, kept] of Object.entries(KEPT)) {
  const path = fileURLToPath(new URL(`../node_modules/${folder}`, import.meta.url));
  if (!existsSync(path))
    throw new Error(`${path} is missing: look again at what the model runner brings.`);
  writeFileSync(`${path}/.npmignore`, ['*', ...kept.map((name) => `!${name}`), ''].join('\n'));
}
