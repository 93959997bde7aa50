import { supersededBy } from '../../domain/saved/supersession.js';
import type { Freshness } from '../freshness/freshness.js';
import type { Project } from '../projects/project.js';

/** The source files that another one replaces, without those whose replacement is gone since. */
export async function supersededSources(
  freshness: Pick<Freshness, 'goneAmong'>,
  project: Project,
): Promise<readonly string[]> {
  const links = await project.store.chunks.supersessions();
  if (links.length === 0) return [];
  const newer = links.map(({ sourceFile }) => sourceFile);
  const gone = new Set(await freshness.goneAmong(project, newer));
  return [...supersededBy(links.filter(({ sourceFile }) => !gone.has(sourceFile))).keys()];
}
