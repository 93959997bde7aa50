import { brokenLinks } from '../../domain/saved/supersession.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Project } from '../projects/project.js';

/** One sentence for each source that says it replaces another one but does not. */
export async function supersessionNotes({ store }: Project): Promise<readonly string[]> {
  const links = await store.chunks.supersessions();
  if (links.length === 0) return [];
  const indexed = await store.chunks.indexedSources();
  const known = new Set(indexed.map(({ sourceFile }) => sourceFile));
  return brokenLinks(links, known).map(
    ({ sourceFile, reason }) => `${sourceFile} replaces nothing: ${reason}.`,
  );
}

export async function warnOfSupersessions(
  logger: Pick<Logger, 'warn'>,
  project: Project,
): Promise<void> {
  for (const note of await supersessionNotes(project)) logger.warn(note, { project: project.path });
}
