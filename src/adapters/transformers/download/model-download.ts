import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../ports/driven/clock.js';
import { readModelSettings } from '../model/model-settings.js';
import type { DownloadProgress } from './download-progress.js';
import { type DownloadTimeouts, downloadFile, HubRefusal } from './file-download.js';
import {
  type DownloadRecord,
  filesToFetch,
  isOptional,
  MODEL_FILES,
  type ModelFile,
  maxBytesOf,
  RECORD_FILE,
  readRecord,
} from './model-files.js';

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
    await copyOthers(files, places);
    const digests = await fetchAll(download, files, places.staged);
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

/** The settings are read before the weights are fetched, so that a model that cannot be used costs little. */
async function fetchAll(
  download: ModelDownload,
  files: readonly ModelFile[],
  folder: string,
): Promise<DownloadRecord> {
  download.progress.start();
  const digests: Partial<Record<ModelFile, string>> = {};
  for (const file of files) {
    if (!file.endsWith('.json')) await readModelSettings(folder);
    const digest = await fetchOne(download, file, join(folder, file));
    if (digest !== undefined) digests[file] = digest;
  }
  download.progress.end();
  return digests;
}

/** The digest of the file; undefined if the hub has none and the model may lack it. */
async function fetchOne(
  download: ModelDownload,
  file: ModelFile,
  target: string,
): Promise<string | undefined> {
  await mkdir(dirname(target), { recursive: true });
  try {
    const { bytes, sha256 } = await downloadFile({
      ...download,
      url: `${download.hub.replace(/\/+$/, '')}/${download.model}/resolve/main/${file}`,
      target,
      maxBytes: maxBytesOf(file),
      onProgress: (done, total) => download.progress.advance(done, total),
    });
    if (file.endsWith('.json')) await checkJson(target, file);
    download.progress.add(bytes);
    return sha256;
  } catch (error) {
    if (!isOptional(file) || !(error instanceof HubRefusal)) throw error;
    await rm(target, { force: true });
    return undefined;
  }
}

/** Detects a web page that was sent instead of the file. The file is parsed later, when the model is tried out. */
async function checkJson(path: string, file: ModelFile): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    if (
      buffer
        .toString('utf8', 0, bytesRead)
        .trimStart()
        .startsWith(file === 'modules.json' ? '[' : '{')
    )
      return;
    throw new Error(`the hub sent something other than JSON for ${file}`);
  } finally {
    await handle.close();
  }
}

async function copyOthers(files: readonly ModelFile[], { staged, final }: Places): Promise<void> {
  for (const file of MODEL_FILES) {
    if (files.includes(file)) continue;
    await mkdir(dirname(join(staged, file)), { recursive: true });
    await copyFile(join(final, file), join(staged, file)).catch(ignoreOptional(file));
  }
}

function ignoreOptional(file: ModelFile): (error: unknown) => void {
  return (error) => {
    if (!isOptional(file)) throw error;
  };
}

async function putInPlace(digests: DownloadRecord, { staged, final }: Places): Promise<void> {
  // Another process may have finished first.
  if ((await filesToFetch(final)).length === 0) return;
  const record = { ...(await readRecord(final)), ...digests };
  await mkdir(final, { recursive: true });
  await writeFile(join(staged, RECORD_FILE), JSON.stringify(record, null, 2), { flush: true });
  const fetched = MODEL_FILES.filter((file) => digests[file] !== undefined);
  for (const file of [RECORD_FILE, ...fetched]) {
    await mkdir(dirname(join(final, file)), { recursive: true });
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

/** Prefix of the folders in the models directory in which downloads are staged. */
const STAGING_PREFIX = '.download-';

const STALE_AFTER_MS = 60 * 60_000;

/** Removes the staging folders of crashed downloads: those in which nothing was written for an hour. */
async function removeAbandonedDownloads(modelsDirectory: string, now: Date): Promise<void> {
  for (const name of await readdir(modelsDirectory)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const staging = join(modelsDirectory, name);
    if (now.getTime() - (await lastWrite(staging)) > STALE_AFTER_MS) {
      await rm(staging, { recursive: true, force: true });
    }
  }
}

async function lastWrite(folder: string): Promise<number> {
  // Another process may be removing it.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = [folder, ...names.map((name) => join(folder, name))];
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}
