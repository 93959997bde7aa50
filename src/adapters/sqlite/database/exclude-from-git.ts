import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../../domain/errors.js';
import { withIgnoredLines } from '../../../domain/ignored-lines.js';

/**
 * Keeps the database and other private files out of the history of a git project. Best effort: if it fails, they may be
 * committed.
 */
export function excludeFromGit(projectPath: string, directory: string): void {
  if (!isInRepository(projectPath)) return;
  const path = join(directory, '.gitignore');
  try {
    writeFileSync(path, withIgnoredLines(''), { flag: 'wx' });
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') ifPossible(() => appendIgnored(path));
  }
}

function isInRepository(directory: string): boolean {
  const found = lstatSync(join(directory, '.git'), { throwIfNoEntry: false });
  const parent = dirname(directory);
  return found !== undefined || (parent !== directory && isInRepository(parent));
}

function appendIgnored(path: string): void {
  const descriptor = openSync(path, APPEND_FLAGS);
  try {
    if (!fstatSync(descriptor).isFile() || fstatSync(descriptor).size > IGNORE_FILE_MAX_BYTES)
      return;
    const text = readFileSync(descriptor, 'utf8');
    const complete = withIgnoredLines(text);
    if (complete !== text) writeSync(descriptor, complete.slice(text.length));
  } finally {
    closeSync(descriptor);
  }
}

/** Refuse to follow a link or to wait for a pipe. */
const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const IGNORE_FILE_MAX_BYTES = 100_000;

function ifPossible(change: () => void): void {
  try {
    change();
  } catch {}
}
