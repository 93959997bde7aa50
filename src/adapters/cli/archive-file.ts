import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ArchiveKind, archivePath } from '../../domain/transfer/archive-names.js';
import { UsageError } from './exit.js';
import type { Session } from './session.js';

/**
 * Moves a file that a route made in the application directory to where the user wants it.
 * @returns the path to show
 */
export function moveOut(session: Session, file: string, wanted: string | undefined): string {
  if (wanted === undefined) return file;
  const inside = resolve(session.project.path, file);
  try {
    copyFileSync(inside, resolve(session.directory, wanted), constants.COPYFILE_EXCL);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UsageError(`${wanted} is there already; choose another file.`);
  } finally {
    rmSync(inside);
  }
  return wanted;
}

/**
 * Lets `work` use an archive by its name: one that the application directory has, or a file from
 * anywhere, which is copied there for as long as it takes.
 */
export async function withArchive<T>(
  session: Session,
  { kind, given }: { readonly kind: ArchiveKind; readonly given: string },
  work: (name: string) => Promise<T>,
): Promise<T> {
  const outside = resolve(session.directory, given);
  if (statSync(outside, { throwIfNoEntry: false })?.isFile() !== true) return work(given);
  const directory = applicationDirectory(session);
  const name = `from-${randomBytes(4).toString('hex')}`;
  const inside = resolve(directory, '..', archivePath(session.project.appDir, kind, name));
  copyFileSync(outside, inside, constants.COPYFILE_EXCL);
  try {
    return await work(name);
  } finally {
    rmSync(inside, { force: true });
  }
}

/** A project that came from elsewhere may have a link in its place, which nothing is copied through. */
function applicationDirectory({ project: { path, appDir } }: Session): string {
  const directory = join(realpathSync(path), appDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (realpathSync(directory) === directory) return directory;
  throw new Error(
    `${appDir} is a link; the knowledge store needs a real directory of the project.`,
  );
}
