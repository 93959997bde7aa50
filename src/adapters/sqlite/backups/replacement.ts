import { basename } from 'node:path';
import { KnowledgeError } from '../../../domain/errors.js';
import { moveAside } from '../database/damage.js';
import { fileId } from '../database/store-files.js';
import type { DatabaseCopy } from './database-copy.js';

/**
 * Puts a copy in the place of a database, which is moved aside with its sidecars: a log that stayed would
 * be applied to the copy. A process that has the former one open notices that the file is another one.
 * @returns the new name of the former database; undefined if there was none
 */
export function putInPlace(copy: DatabaseCopy, path: string, at: Date): string | undefined {
  let previous: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const former = fileId(path);
    const moved = former && moveAside(path, former, { at, as: 'replaced' });
    previous ??= moved && basename(moved);
    if (copy.linkTo(path)) return previous;
  }
  throw new KnowledgeError(
    'store_unavailable',
    'Another process made a new knowledge store each time; stop it and try again.',
  );
}

/** Another process that opens the store at the wrong moment makes an empty one. */
const ATTEMPTS = 3;
