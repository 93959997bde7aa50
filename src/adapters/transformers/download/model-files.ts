import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Settings of sentence-transformers, some of which many models lack. */
const OPTIONAL_FILES = [
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const;

/**
 * The files of a model, in the order in which they are fetched and put in place. The weights are last, so a folder that
 * has them is complete.
 */
export const MODEL_FILES = [
  ...OPTIONAL_FILES,
  'config.json',
  'tokenizer_config.json',
  'tokenizer.json',
  'onnx/model_quantized.onnx',
] as const;

export type ModelFile = (typeof MODEL_FILES)[number];

const MEGABYTE = 1024 * 1024;

export function isOptional(file: ModelFile): boolean {
  return OPTIONAL_FILES.some((name) => name === file);
}

/** Maximum size of a file in bytes. The largest `tokenizer.json` in use has less than half of its limit. */
export function maxBytes(file: ModelFile): number {
  if (file === 'tokenizer.json') return 64 * MEGABYTE;
  return file === 'onnx/model_quantized.onnx' ? 1024 * MEGABYTE : MEGABYTE;
}

/** Whether every file that a model needs exists; their content is not checked. */
export function hasEveryFile(folder: string): boolean {
  return MODEL_FILES.every((file) => isOptional(file) || isFile(join(folder, file)));
}

/** Returns the required files that a folder lacks. */
export function requiredFiles(folder: string): readonly ModelFile[] {
  return MODEL_FILES.filter((file) => !isOptional(file) && !isFile(join(folder, file)));
}

/** Returns the files to download for a folder. Missing optional files count only if `config.json` is missing too. */
export function missingFiles(folder: string): readonly ModelFile[] {
  const isNew = !isFile(join(folder, 'config.json'));
  return MODEL_FILES.filter((file) => (isNew || !isOptional(file)) && !isFile(join(folder, file)));
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Size of a model's files in bytes. */
export async function sizeOfModel(folder: string): Promise<number> {
  const sizes = await Promise.all(MODEL_FILES.map((file) => readSize(join(folder, file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
