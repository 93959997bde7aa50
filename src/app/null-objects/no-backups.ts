import { KnowledgeError } from '../../domain/errors.js';
import type { StoreBackups } from '../../ports/driven/store-backups.js';

/** For stores that are not files. */
export const noBackups: StoreBackups = {
  backup: refuse,
  restore: refuse,
  list: async () => [],
};

async function refuse(): Promise<never> {
  throw new KnowledgeError(
    'invalid_request',
    'This store is not a file that could be backed up: export it instead, or use the backups of its server.',
  );
}
