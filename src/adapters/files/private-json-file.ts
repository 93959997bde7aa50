import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KnowledgeError, systemErrorCode, writeFailure } from '../../domain/errors.js';

/** The value of a JSON file in the user's data folder; undefined if the file does not exist or is not JSON. */
export async function readPrivateJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Replaces a JSON file in the user's data folder atomically. Only the user may read it.
 * @throws KnowledgeError `storage_full`, `store_unavailable`
 */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    const code = systemErrorCode(cause) === 'ENOSPC' ? 'storage_full' : 'store_unavailable';
    throw new KnowledgeError(
      code,
      `${path} cannot be written: ${writeFailure(cause, dirname(path))}.`,
      { cause },
    );
  }
}

/**
 * Changes a JSON file in the user's data folder, one process at a time.
 * @throws KnowledgeError `storage_full`, `store_unavailable`
 */
export async function changePrivateJson(
  path: string,
  change: (value: unknown) => unknown,
): Promise<void> {
  const lock = `${path}.lock`;
  const isLocked = await takeLock(lock);
  try {
    await writePrivateJson(path, change(await readPrivateJson(path)));
  } finally {
    if (isLocked) await rmdir(lock).catch(() => undefined);
  }
}

/** Waits for the lock. Returns false if the folder cannot be written, which the write then reports. */
async function takeLock(lock: string): Promise<boolean> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 }).catch(() => undefined);
  for (;;) {
    try {
      await mkdir(lock);
      return true;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') return false;
    }
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    // Left behind by a process that died.
    if (Date.now() - mtimeMs > LOCK_MAX_MS) await rmdir(lock).catch(() => undefined);
    await setTimeout(LOCK_PAUSE_MS);
  }
}

const LOCK_MAX_MS = 5_000;
const LOCK_PAUSE_MS = 10;
