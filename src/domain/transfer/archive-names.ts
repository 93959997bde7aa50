import { DATABASE_FILE } from '../project-layout.js';

/**
 * Names of exports. Their files lie beside the database and begin with its name, so that
 * the service's own `.gitignore` keeps them out of commits.
 */
export const ARCHIVE_NAME_RULE =
  'must be 1 to 64 letters, digits, "-", "_" and ".", beginning with a letter or digit, and must not end in -wal, -shm or -journal';

/** With one of these endings, SQLite would take the file for a part of another database. */
const PATTERN = /^(?!.*-(?:wal|shm|journal)$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isArchiveName(name: string): boolean {
  return PATTERN.test(name);
}

/** A name for something that is made now, to the millisecond: two exports of one second are two files. */
export function archiveNameAt(time: Date): string {
  return time.toISOString().slice(0, 23).replaceAll(/[:.]/g, '-');
}

/** The file of an export, relative to the project, with `/`. */
export function exportPath(appDir: string, name: string): string {
  return `${appDir}/${DATABASE_FILE}.export-${name}.jsonl`;
}
