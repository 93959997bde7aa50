import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KnowledgeError } from '../../../domain/errors.js';

/**
 * What is there must belong to this user or to the owner of the project; what belongs to the latter must not be open to
 * everybody. For the superuser, everything but a stranger's is theirs.
 * @throws KnowledgeError `path_not_allowed`
 */
export function checkOwners(project: string, paths: readonly string[]): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const owners = new Set([own, 0, lstatSync(project).uid]);
  for (const path of paths) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid === own) continue;
    const isOpen = own !== 0 && (found.mode & OTHERS_READ_OR_WRITE) !== 0 && found.isFile();
    if (owners.has(found.uid) && !isOpen) continue;
    throw new KnowledgeError(
      'path_not_allowed',
      `${join(basename(dirname(path)), basename(path))} belongs to another user, who could read what is stored there; delete it, or make it your own.`,
    );
  }
}

const OTHERS_READ_OR_WRITE = 0o006;
