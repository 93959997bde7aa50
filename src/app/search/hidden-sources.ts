import { listSupersessions, supersededBy } from '../../domain/saved/supersession.js';
import type { Project } from '../project.js';

/** The source files that another one replaces, each with that one. */
export async function replacedSources({ store }: Project): Promise<ReadonlyMap<string, string>> {
  return supersededBy(listSupersessions(await store.chunks.indexedSources('superseding')));
}

/** The source files that have expired: from the day on that they name, in UTC, no search finds them. */
export async function expiredSources({ store }: Project, now: Date): Promise<readonly string[]> {
  const today = now.toISOString().slice(0, 10);
  const expiring = await store.chunks.indexedSources('expiring');
  return expiring
    .filter(({ expires }) => expires !== undefined && expires <= today)
    .map(({ sourceFile }) => sourceFile);
}
