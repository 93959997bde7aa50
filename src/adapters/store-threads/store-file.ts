import { lstatSync } from 'node:fs';

export interface StoreFile {
  /** Device and inode: tells the file from another that has replaced it. */
  readonly identity: string;
  readonly bytes: number;
}

/** The file that a store is kept in; undefined if it does not exist. */
export function storeFileAt(location: string): StoreFile | undefined {
  const found = lstatSync(location, { bigint: true, throwIfNoEntry: false });
  return found && { identity: `${found.dev} ${found.ino}`, bytes: Number(found.size) };
}
