import { headOf } from '../../../domain/chunks/text.js';
import { KnowledgeError } from '../../../domain/errors.js';

/**
 * Refuses to open a database. `reason` completes the sentence "The file is not a knowledge store: …".
 * @throws KnowledgeError `store_unavailable`, always
 */
export function refuseDatabase(reason: string): never {
  throw new KnowledgeError(
    'store_unavailable',
    `The file knowledge.db is not a knowledge store: ${reason}; move it away to start a new one.`,
  );
}

/** A name found in a database file, quoted for a message: cut to 80 characters, control characters escaped. */
export function quoted(name: string | undefined): string {
  return JSON.stringify(headOf(name ?? '', LONGEST_NAME));
}

const LONGEST_NAME = 80;
