import { lstatSync } from 'node:fs';

/** Device and inode of a store's file: tells it from another that has replaced it; undefined if it does not exist. */
export function identityOf(location: string): string | undefined {
  const found = lstatSync(location, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
