import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { systemErrorCode } from '../../domain/errors.js';
import { type OpenFolder, openFolder } from './open-folder.js';
import { readFolderInside } from './read-folder.js';

export interface NewFile {
  /** Written part by part. Only an array can be written again if the first attempt fails. */
  readonly content: Iterable<string | Buffer> | AsyncIterable<string>;
  /** Permissions and owner for a file that does not exist yet; default: as for any new file. */
  readonly attributesFrom?: Attributes | undefined;
  /** Permissions for a file that does not exist yet, if `attributesFrom` is absent; default: as for any new file. */
  readonly mode?: number | undefined;
}

type Attributes = Pick<Stats, 'mode' | 'uid' | 'gid'>;

/**
 * Writes a temporary file in the folder and passes it to `put`, which renames or links it. Removes the temporary file
 * after a failure. Tries again, up to three times, if another process has removed it as the leftover of a killed
 * writer.
 */
export async function place<T>(
  folder: OpenFolder,
  file: NewFile,
  put: (from: string) => T,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const draft = `.${randomUUID()}.tmp`;
    try {
      await writeNew(folder.at(draft), file);
      const result = put(folder.at(draft));
      folder.flush();
      return result;
    } catch (error) {
      const wasRemoved = systemErrorCode(error) === 'ENOENT' && !existsSync(folder.at(draft));
      if (!wasRemoved || !Array.isArray(file.content) || attempt === ATTEMPTS) throw error;
    } finally {
      ifPossible(() => rmSync(folder.at(draft), { force: true }));
    }
  }
}

const ATTEMPTS = 3;

/** Writes and flushes a file that must not exist yet. */
export async function writeNew(
  path: string,
  { content, attributesFrom, mode = 0o666 }: NewFile,
): Promise<void> {
  const permissions = (attributesFrom?.mode ?? mode) & PERMISSIONS;
  const descriptor = openSync(path, NEW_FILE_FLAGS, permissions);
  try {
    if (attributesFrom !== undefined) copyAttributes(descriptor, attributesFrom);
    for await (const part of content) writeAll(descriptor, Buffer.from(part));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Opening fails if anything with that name exists, even a dangling link. */
const NEW_FILE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Excludes the setuid, setgid and sticky bits. */
const PERMISSIONS = 0o777;

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/**
 * Copies owner and permissions as far as possible: only the superuser can change the owner. Permissions are set last,
 * because changing the owner resets some.
 */
function copyAttributes(descriptor: number, { mode, uid, gid }: Attributes): void {
  const own = fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) ifPossible(() => fchownSync(descriptor, uid, gid));
  ifPossible(() => fchmodSync(descriptor, mode & PERMISSIONS));
}

function ifPossible(change: () => void): void {
  try {
    change();
  } catch {}
}

/**
 * Gives the file a new name, or returns false if the name is taken. Without hard links, the file is renamed instead,
 * which replaces a file of that name that was created in the meantime.
 */
export function linkOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemErrorCode(error)))
      throw error;
    renameSync(from, to);
  }
  return true;
}

/** Removes unfinished files of killed writers below a folder. Skips a folder that cannot be read or changed. */
export function removeDraftsBelow(projectPath: string, folder: string): void {
  const { entries } = readFolderInside(projectPath, folder);
  const drafts = entries.filter((entry) => entry.isFile() && isDraft(entry.name));
  if (drafts.length > 0) {
    removeFiles(
      projectPath,
      folder,
      drafts.map(({ name }) => name),
    );
  }
  for (const entry of entries) {
    if (entry.isDirectory()) removeDraftsBelow(projectPath, `${folder}/${entry.name}`);
  }
}

function removeFiles(projectPath: string, folder: string, names: readonly string[]): void {
  let opened: OpenFolder | undefined;
  try {
    opened = openFolder(projectPath, folder);
    for (const name of names) unlinkSync(opened.at(name));
  } catch {
    // The next ingestion tries again.
  } finally {
    opened?.close();
  }
}

/** Whether a file is a temporary file of {@link place}: still being written, or left behind by a killed writer. */
function isDraft(name: string): boolean {
  return /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(name);
}
