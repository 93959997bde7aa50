import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KnowledgeError, systemErrorCode } from '../../domain/errors.js';

/** The value of a JSON file in the user's data folder; undefined if there is no such file, or if it is not JSON. */
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
    throw new KnowledgeError(code, `${path} cannot be written.`, { cause });
  }
}
