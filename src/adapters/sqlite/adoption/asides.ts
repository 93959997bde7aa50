import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readSize, removeDatabase } from '../database/files.js';
import { SIDECARS } from '../database/untrusted-files.js';

/** Why a database was set aside: it could not be read, or it was adopted. */
export type AsideKind = 'corrupt' | 'replaced';

/** A database that was set aside. */
export interface Aside {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Lists the databases that were set aside next to the one at a path, oldest of each kind first. Empty for a database in
 * memory.
 */
export function listAsides(path: string): readonly Aside[] {
  return KINDS.flatMap((kind) => namesOfKind(path, kind)).map((name) => ({
    name,
    bytes: ['', ...SIDECARS].reduce(
      (sum, suffix) => sum + readSize(siblingPath(path, name + suffix)),
      0,
    ),
  }));
}

/** Deletes all but the two newest of each kind. */
export function removeOlderAsides(path: string): void {
  for (const kind of KINDS) {
    for (const name of namesOfKind(path, kind).slice(0, -KEPT))
      removeDatabase(siblingPath(path, name));
  }
}

const KINDS: readonly AsideKind[] = ['corrupt', 'replaced'];
const KEPT = 2;

/** Names, oldest first: they contain the time, so they sort by it. */
function namesOfKind(path: string, kind: AsideKind): readonly string[] {
  const prefix = `${basename(path)}.${kind}-`;
  return namesBeside(path)
    .filter((name) => name.startsWith(prefix) && !SIDECARS.some((suffix) => name.endsWith(suffix)))
    .toSorted();
}

function namesBeside(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(dirname(path)) : [];
}

function siblingPath(path: string, name: string): string {
  return join(dirname(path), name);
}
