import { copyFile, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../ports/driven/clock.js';
import type { DownloadProgress } from './download-progress.js';
import { type DownloadTimeouts, downloadFile } from './file-download.js';
import {
  type DownloadRecord,
  filesToFetch,
  MODEL_FILE_MAX_BYTES,
  MODEL_FILES,
  type ModelFile,
  RECORD_FILE,
  readRecord,
} from './model-files.js';
import { removeAbandonedDownloads, STAGING_PREFIX } from './staged-files.js';

export interface ModelDownload {
  /** The base URL of the models, e.g. `https://huggingface.co`. */
  readonly hub: string;
  readonly model: string;
  readonly modelsDirectory: string;
  readonly clock: Clock;
  readonly timeouts: DownloadTimeouts;
  readonly progress: DownloadProgress;
  readonly signal: AbortSignal;
  /** Loads the model from the given models directory as a test; rejects if it does not work. */
  readonly tryOut: (modelsDirectory: string) => Promise<void>;
}

/**
 * Downloads `files` of a model into a staging folder. They are moved to the model's folder only after
 * every file is complete, its digest is known and the model has worked. The record of the digests is
 * moved first and the weights last, so that the next load can repair the folder after a crash at any
 * point. Files that were put there by hand are kept.
 * @throws Error with the reason; the model's folder is then unchanged
 */
export async function downloadModel(
  download: ModelDownload,
  files: readonly ModelFile[],
): Promise<void> {
  await mkdir(download.modelsDirectory, { recursive: true });
  await removeAbandonedDownloads(download.modelsDirectory, download.clock.now());
  const staging = await mkdtemp(join(download.modelsDirectory, STAGING_PREFIX));
  const places = {
    staged: join(staging, download.model),
    final: join(download.modelsDirectory, download.model),
  };
  try {
    const digests = await fetchAll(download, files, places.staged);
    await copyOthers(files, places);
    await download.tryOut(staging);
    download.signal.throwIfAborted();
    await putInPlace(digests, places);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The two folders of one model. */
interface Places {
  readonly staged: string;
  readonly final: string;
}

async function fetchAll(
  download: ModelDownload,
  files: readonly ModelFile[],
  folder: string,
): Promise<DownloadRecord> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  download.progress.start();
  const digests: Partial<Record<ModelFile, string>> = {};
  for (const file of files) {
    const target = join(folder, file);
    const { bytes, sha256 } = await downloadFile({
      ...download,
      url: `${download.hub.replace(/\/+$/, '')}/${download.model}/resolve/main/${file}`,
      target,
      maxBytes: MODEL_FILE_MAX_BYTES[file],
      onProgress: (done, total) => download.progress.advance(done, total),
    });
    if (file.endsWith('.json')) await checkJsonObject(target, file);
    download.progress.add(bytes);
    digests[file] = sha256;
  }
  download.progress.end();
  return digests;
}

/** Detects a web page that was sent instead of the file. The file is parsed later, when the model is tried out. */
async function checkJsonObject(path: string, file: ModelFile): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    if (buffer.toString('utf8', 0, bytesRead).trimStart().startsWith('{')) return;
    throw new Error(`the hub sent something other than JSON for ${file}`);
  } finally {
    await handle.close();
  }
}

async function copyOthers(files: readonly ModelFile[], { staged, final }: Places): Promise<void> {
  for (const file of MODEL_FILES) {
    if (!files.includes(file)) await copyFile(join(final, file), join(staged, file));
  }
}

async function putInPlace(digests: DownloadRecord, { staged, final }: Places): Promise<void> {
  // Another process may have finished first.
  if ((await filesToFetch(final)).length === 0) return;
  const record = { ...(await readRecord(final)), ...digests };
  await mkdir(join(final, 'onnx'), { recursive: true });
  await writeFile(join(staged, RECORD_FILE), JSON.stringify(record, null, 2), { flush: true });
  const fetched = MODEL_FILES.filter((file) => digests[file] !== undefined);
  for (const file of [RECORD_FILE, ...fetched]) {
    await rename(join(staged, file), join(final, file));
    await flushFolder(dirname(join(final, file)));
  }
}

/** Makes renames survive a power failure, on systems that can flush a folder. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
