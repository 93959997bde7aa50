import type { ProjectsBody } from './bodies.js';
import type { Fields } from './command-line-parts.js';
import { loadModel } from './model.js';
import { type Session, viewOf } from './session.js';
import { counted, printableLine } from './text/format.js';

interface ProjectsView {
  /** The projects to search, absolute. */
  readonly indexed: readonly string[];
  /** Directories without an index. */
  readonly others: readonly string[];
  readonly full?: boolean;
}

/** Searches several projects (`POST /api/knowledge/x/search-projects`), and prints what they know. */
export async function showProjects(
  session: Session,
  fields: Fields & { readonly query: string },
  { indexed, others, full }: ProjectsView,
): Promise<void> {
  const found = await search(session, indexed, fields);
  const unindexed = others.map((projectPath) => ({ projectPath, reason: NOTHING_INDEXED }));
  const body = { ...found, skipped: [...found.skipped, ...unindexed] };
  for (const { projectPath, reason } of session.showsText ? body.skipped : []) {
    session.note(printableLine(`${projectPath} was not searched: ${reason}`));
  }
  await session.print(body, async ({ results, totalTokens }) => {
    if (results.length === 0) return 'Nothing found.';
    const { resultsText } = await import('./text/results.js');
    const located = results.map(async (result) => session.placesOf([result], result.projectPath));
    const places = (await Promise.all(located)).flat();
    const relevance = results.map((result) => result.relevance);
    const terms = fields.query.split(/\s+/);
    const text = resultsText(results, { ...viewOf(session), full, terms, places, relevance });
    const sum = `${counted(results.length, 'result')}, ${counted(totalTokens, 'token')}`;
    return `${text}\n\n${session.styles.dim(sum)}`;
  });
}

const NOTHING_INDEXED = 'Nothing is indexed there.';

async function search(
  session: Session,
  projectPaths: readonly string[],
  fields: Fields,
): Promise<ProjectsBody> {
  if (projectPaths.length === 0) return { results: [], totalTokens: 0, skipped: [] };
  await loadModel(session, projectPaths);
  return session.call('POST /api/knowledge/x/search-projects', { ...fields, projectPaths });
}
