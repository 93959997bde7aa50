import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEveryFile, isModelName, MODEL_FILES } from './model-files.js';

/** A model that has a folder. */
export interface ModelFolder {
  /** `<owner>/<name>`. */
  readonly name: string;
  /** Whether every file exists; their content is not checked. */
  readonly complete: boolean;
  /** Size of its files. */
  readonly bytes: number;
}

/** The models below a models directory, sorted by name; empty if there is no such directory. */
export async function installedModels(directory: string): Promise<readonly ModelFolder[]> {
  const owners = await foldersIn(directory);
  const names = await Promise.all(
    owners.map(async (owner) =>
      (await foldersIn(join(directory, owner))).map((name) => `${owner}/${name}`),
    ),
  );
  return Promise.all(
    names
      .flat()
      .filter(isModelName)
      .sort()
      .map((name) => modelFolder(directory, name)),
  );
}

/** One model, whether it has a folder or not. */
export async function modelFolder(directory: string, name: string): Promise<ModelFolder> {
  const folder = join(directory, name);
  const sizes = await Promise.all(MODEL_FILES.map((file) => sizeOf(join(folder, file))));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { name, complete: hasEveryFile(folder), bytes };
}

async function foldersIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [] as Dirent[]);
  return entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
