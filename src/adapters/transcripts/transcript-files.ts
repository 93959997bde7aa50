import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptFile } from '../../ports/transcripts.js';

/** Lists the regular files below a folder whose names match. Does not follow links. */
export async function listTranscripts(
  folder: string,
  isTranscript: (name: string) => boolean,
): Promise<readonly TranscriptFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (): Dirent[] => [],
  );
  const paths = entries
    .filter((entry) => entry.isFile() && isTranscript(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(paths.map(describe));
  return files.filter((file) => file !== undefined);
}

/** Describes a file; undefined if it is gone. */
async function describe(path: string): Promise<TranscriptFile | undefined> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return { path, version: `${ino}:${size}:${mtimeMs}`, modifiedAt: mtimeMs };
  } catch {
    return undefined;
  }
}
