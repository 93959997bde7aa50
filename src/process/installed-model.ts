import { join, resolve } from 'node:path';
import type { InstalledModel } from '../adapters/cli/command-line-parts.js';
import { sizeOfModel } from '../adapters/transformers/download/model-files.js';
import { findNativeRuntime } from '../adapters/transformers/model/network.js';
import type { Config } from '../app/config/fields.js';

/** The state of the configured model on this machine. */
export async function installedModel(config: Config): Promise<InstalledModel> {
  const { dataDir, model, runtime, embeddings } = config;
  const directory = resolve(dataDir, 'models');
  const bytes = await sizeOfModel(join(directory, model));
  const isInstalled = findNativeRuntime() !== undefined;
  const isFastest = embeddings !== undefined || (isInstalled && runtime !== 'wasm');
  const faster = isInstalled ? 'installed' : 'installable';
  return { name: model, directory, bytes, ...(!isFastest && { faster }) };
}
