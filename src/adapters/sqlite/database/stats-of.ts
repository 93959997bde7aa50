import { type BigIntStats, lstatSync } from 'node:fs';

/** What is at a path, links not followed; undefined if nothing is, or if what should be a folder above it is a file. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
