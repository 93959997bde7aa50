import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemReason } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import { downloadFile, type FileDownload, HubRefusal } from './file-download.js';
import { isFile, isOptional, MODEL_FILES, type ModelFile, maxBytes } from './model-files.js';

interface ModelDownload extends Pick<FileDownload, 'signal' | 'onProgress'> {
  /** The base URL of the models, e.g. `https://huggingface.co`. */
  readonly hub: string;
  readonly model: string;
  readonly modelsDirectory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rejects if the settings of the model in this folder, which has no weights yet, are not supported. */
  readonly checkSettings: (folder: string) => Promise<unknown>;
  /** Loads the model from the given models directory as a test; rejects if that fails. */
  readonly tryOut: (modelsDirectory: string) => Promise<void>;
}

/**
 * Downloads `files` of a model into a staging folder. Moves them to the model's folder, the weights last, only after
 * every file is complete and the model has worked. The other files of the model stay as they are.
 * @throws Error with the reason; the model's folder is then unchanged, unless moving the files has failed
 */
export async function downloadModel(
  download: ModelDownload,
  files: readonly ModelFile[],
): Promise<void> {
  const { modelsDirectory, model } = download;
  const staging = await stagingFolder(modelsDirectory);
  const folders = { staged: join(staging, model), final: join(modelsDirectory, model) };
  try {
    await copyOthers(files, folders);
    await fetchAll(download, files, folders.staged);
    await download.tryOut(staging);
    download.signal.throwIfAborted();
    await putInPlace(files, folders);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The folder of the models cannot be written, so another hub would not help. */
export class FolderRefusal extends Error {}

async function stagingFolder(models: string): Promise<string> {
  try {
    await mkdir(models, { recursive: true });
    return await mkdtemp(join(models, '.download-'));
  } catch (error) {
    const remedy = 'make it or a folder above it writable, or set DATA_DIR to another folder';
    throw new FolderRefusal(`${models} cannot be written (${systemReason(error)}); ${remedy}`);
  }
}

/** The two folders of one model. */
interface Folders {
  readonly staged: string;
  readonly final: string;
}

async function copyOthers(files: readonly ModelFile[], { staged, final }: Folders): Promise<void> {
  for (const file of MODEL_FILES) {
    if (files.includes(file) || !isFile(join(final, file))) continue;
    await mkdir(dirname(join(staged, file)), { recursive: true });
    await copyFile(join(final, file), join(staged, file));
  }
}

/** Downloads the files. Checks the settings before the weights are fetched, so that an unusable model costs little. */
async function fetchAll(
  download: ModelDownload,
  files: readonly ModelFile[],
  folder: string,
): Promise<void> {
  const { model, hub, clock, logger } = download;
  const begin = clock.monotonic();
  let bytes = 0;
  logger.info('Downloading a model.', { model, hub });
  for (const file of files) {
    if (!file.endsWith('.json')) await download.checkSettings(folder);
    bytes += await fetchOne(download, file, join(folder, file));
  }
  logger.info('The model has been downloaded.', {
    model,
    megabytes: Math.round(bytes / 100_000) / 10,
    seconds: Math.round(clock.monotonic() - begin) / 1000,
  });
}

/** Downloads one file and returns its size; 0 if the hub refuses an optional file. */
async function fetchOne(download: ModelDownload, file: ModelFile, target: string): Promise<number> {
  await mkdir(dirname(target), { recursive: true });
  const url = `${download.hub.replace(/(?<!\/)\/+$/, '')}/${download.model}/resolve/main/${file}`;
  try {
    return await downloadFile({ ...download, url, target, maxBytes: maxBytes(file) });
  } catch (error) {
    if (!isOptional(file) || !(error instanceof HubRefusal)) throw error;
    await rm(target, { force: true });
    return 0;
  }
}

async function putInPlace(files: readonly ModelFile[], { staged, final }: Folders): Promise<void> {
  await mkdir(final, { recursive: true });
  for (const file of files) {
    if (!isFile(join(staged, file))) continue;
    await mkdir(dirname(join(final, file)), { recursive: true });
    await rename(join(staged, file), join(final, file));
  }
}
