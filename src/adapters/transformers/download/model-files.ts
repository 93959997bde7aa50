import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRecord } from '../../../domain/records.js';

/** The files that transformers.js reads. The weights are fetched and moved last. */
export const MODEL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
] as const;

export type ModelFile = (typeof MODEL_FILES)[number];

const MEGABYTE = 1024 * 1024;

/** Maximum size of each file. The largest vocabularies in use need less than half of it. */
export const MODEL_FILE_MAX_BYTES: Readonly<Record<ModelFile, number>> = {
  'config.json': MEGABYTE,
  'tokenizer.json': 64 * MEGABYTE,
  'tokenizer_config.json': MEGABYTE,
  'onnx/model_quantized.onnx': 1024 * MEGABYTE,
};

/** SHA-256 of each downloaded file; files that were put there by hand are not recorded. */
export type DownloadRecord = Readonly<Partial<Record<ModelFile, string>>>;

/** In the folder of the model. */
export const RECORD_FILE = '.download.json';

/** Whether a name is `<owner>/<name>`, which is safe in a path and in a URL. */
export function isModelName(model: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(model);
}

/** Whether every file of the model exists; their content is not checked. */
export function hasEveryFile(folder: string): boolean {
  return MODEL_FILES.every((file) => {
    try {
      return statSync(join(folder, file)).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * The files that have to be downloaded: those that do not exist and, if a downloaded one has changed,
 * all downloaded ones.
 */
export async function filesToFetch(folder: string): Promise<readonly ModelFile[]> {
  const record = await readRecord(folder);
  const damaged = await hasChanged(folder, record);
  const wanted: ModelFile[] = [];
  for (const file of MODEL_FILES) {
    const isDamaged = damaged && record[file] !== undefined;
    if (isDamaged || !(await isFile(join(folder, file)))) wanted.push(file);
  }
  return wanted;
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
    if (recorded === undefined || !(await isFile(path))) continue;
    if ((await sha256Of(path)) !== recorded) return true;
  }
  return false;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
