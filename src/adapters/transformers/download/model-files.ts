import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRecord } from '../../../domain/records.js';

/** How the model wants to be used; many models lack some of them. */
const OPTIONAL_FILES = [
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const;

/** The weights are fetched and moved last. */
export const MODEL_FILES = [
  'config.json',
  'tokenizer_config.json',
  ...OPTIONAL_FILES,
  'tokenizer.json',
  'onnx/model_quantized.onnx',
] as const;

export type ModelFile = (typeof MODEL_FILES)[number];

const MEGABYTE = 1024 * 1024;

export function isOptional(file: ModelFile): boolean {
  return (OPTIONAL_FILES as readonly string[]).includes(file);
}

/** Maximum size of a file. The largest vocabularies in use need less than half of theirs. */
export function maxBytesOf(file: ModelFile): number {
  if (file === 'tokenizer.json') return 64 * MEGABYTE;
  return file === 'onnx/model_quantized.onnx' ? 1024 * MEGABYTE : MEGABYTE;
}

/** SHA-256 of each downloaded file; files that were put there by hand are not recorded. */
export type DownloadRecord = Readonly<Partial<Record<ModelFile, string>>>;

/** In the folder of the model. */
export const RECORD_FILE = '.download.json';

/** Whether a name is `<owner>/<name>`, which is safe in a path and in a URL. */
export function isModelName(model: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(model);
}

/** Whether every file that a model needs exists; their content is not checked. */
export function hasEveryFile(folder: string): boolean {
  return MODEL_FILES.every((file) => isOptional(file) || isFile(join(folder, file)));
}

/**
 * The files that have to be downloaded: those that are missing and, if a downloaded one has changed, all downloaded ones.
 * Those that a model may lack come with its `config.json`, so that files put there by hand stay as they are.
 */
export async function filesToFetch(folder: string): Promise<readonly ModelFile[]> {
  const record = await readRecord(folder);
  const damaged = await hasChanged(folder, record);
  const isNew = !isFile(join(folder, 'config.json'));
  return MODEL_FILES.filter((file) => {
    const isRecorded = record[file] !== undefined;
    if (damaged && isRecorded) return true;
    const isNeeded = !isOptional(file) || isRecorded || isNew;
    return isNeeded && !isFile(join(folder, file));
  });
}

/** The record of a folder; empty where it does not exist or cannot be read. */
export async function readRecord(folder: string): Promise<DownloadRecord> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(folder, RECORD_FILE), 'utf8'));
    return isRecord(parsed) ? (parsed as DownloadRecord) : {};
  } catch {
    return {};
  }
}

async function hasChanged(folder: string, record: DownloadRecord): Promise<boolean> {
  for (const file of MODEL_FILES) {
    const path = join(folder, file);
    const recorded = record[file];
    if (recorded === undefined || !isFile(path)) continue;
    if ((await sha256Of(path)) !== recorded) return true;
  }
  return false;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

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
