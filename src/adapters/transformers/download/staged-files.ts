import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Prefix of the folders in the models directory in which downloads are staged. */
export const STAGING_PREFIX = '.download-';

const STALE_AFTER_MS = 60 * 60_000;

/** Removes the staging folders of crashed downloads: those in which nothing was written for an hour. */
export async function removeAbandonedDownloads(modelsDirectory: string, now: Date): Promise<void> {
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
