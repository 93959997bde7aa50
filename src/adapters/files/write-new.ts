import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';

/** An iterable is written while it is read. */
export type FileContent = string | Buffer | AsyncIterable<string>;

/** Writes and flushes a file that must not exist yet. */
export async function writeNew(
  path: string,
  content: FileContent,
  { attributes, mode = 0o666 }: Attributes,
): Promise<void> {
  const permissions = attributes === undefined ? mode : attributes.mode & PERMISSIONS;
  const handle = await open(path, NEW_FILE_FLAGS, permissions);
  try {
    if (attributes !== undefined) await copyAttributes(handle, attributes);
    await writeFile(handle, content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Attributes {
  readonly attributes: Stats | undefined;
  readonly mode: number | undefined;
}

/** Opening fails if anything with that name exists, including a link. */
const NEW_FILE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Only the superuser can change the owner. Permissions are set last, because changing the owner resets some. */
async function copyAttributes(handle: FileHandle, from: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== from.uid || own.gid !== from.gid)
    await handle.chown(from.uid, from.gid).catch(ignoreForbidden);
  await handle.chmod(from.mode & PERMISSIONS).catch(ignoreForbidden);
}

/** Excludes the setuid, setgid and sticky bits. */
const PERMISSIONS = 0o777;

function ignoreForbidden(error: unknown): void {
  if (!['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error))) throw error;
}

/** The code of an error of the file system, such as `EEXIST`; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
