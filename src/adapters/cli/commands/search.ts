import { resolve } from 'node:path';
import { PROFILES } from '../../../domain/ranking/search.js';
import type { ProjectsBody } from '../bodies.js';
import type { Fields } from '../command-line-parts.js';
import { NothingFound } from '../exit.js';
import { loadModel } from '../model-readiness.js';
import type { Session } from '../session.js';
import { argument, INDEXES, type ProjectCommand } from './command.js';
import { indexFirst } from './indexing.js';

interface SearchInput extends Fields {
  readonly query: string;
  readonly projectPaths?: readonly string[];
  readonly sourceTypes?: readonly string[];
  readonly tags?: readonly string[];
  readonly paths?: readonly string[];
  readonly minRelevance?: number;
  readonly maxResults?: number;
  readonly profile?: string;
  readonly full?: true;
  readonly all?: true;
  readonly failOnEmpty?: true;
  readonly rewrite?: boolean;
}

export const search: ProjectCommand = {
  name: 'search',
  summary: 'search documents and notes',
  description:
    'Finds chunks by keyword and meaning, best first. Any text is a query; "a phrase", AND, OR, NOT and prefix* are understood.',
  arguments: [argument('<query...>', 'query', 'words or an expression')],
  fields: [
    'maxResults',
    'maxTokens',
    'sourceTypes',
    'tags',
    'paths',
    'since',
    'until',
    'also',
    'minRelevance',
    'includeSuperseded',
    'projectPaths',
  ],
  options: [
    ['--all', 'also show weak matches'],
    ['--full', 'show the whole text of each result'],
    [
      '--profile <name>',
      'how to rank: reading (default), or specified, as the specification says',
      ...PROFILES,
    ],
    [
      '--no-rewrite',
      'do not ask a configured language model for other words if the answer is weak',
    ],
    ['--no-model', 'search by keyword only, which is faster'],
    ['--fail-on-empty', 'exit with 1 if nothing is found'],
  ],
  examples: [
    'search redis cache invalidation',
    'search -n 3 --type reflection "flaky test"',
    'search "release day" --projects ~/a ~/b',
    `search '"write lock" AND (wal OR journal*)'`,
  ],
  needs: ({ model, projectPaths }) => {
    const loads =
      model === false
        ? ({ model: 'unused', service: 'none' } as const)
        : ({ model: 'installed' } as const);
    if (!Array.isArray(projectPaths)) return { ...INDEXES, ...loads };
    return { ...loads, project: projectPaths[0] };
  },
  work: (session, given: SearchInput) =>
    given.projectPaths === undefined
      ? searchProject(session, given)
      : searchProjects(session, given, given.projectPaths),
};

/** Default number of results for a person; the routes return more. */
export const SHOWN_RESULTS = 5;

async function searchProject(session: Session, given: SearchInput): Promise<void> {
  if (given.profile === 'specified') return searchAsSpecified(session, given);
  await Promise.all([indexFirst(session), loadModel(session)]);
  const body = await session.call('POST /api/knowledge/x/search', {
    ...given,
    rewrite: given.rewrite !== false,
    maxResults: given.maxResults ?? SHOWN_RESULTS,
    explain: session.showsText,
  });
  await session.print(body, async () => {
    const isSettled = body.results.length === 0 && body.explain?.indexing === undefined;
    const empty = isSettled ? await session.emptiness() : undefined;
    if (empty !== undefined) return empty;
    const { searchText } = await import('../text/search-text.js');
    const places = body.results.map(({ chunk, line }) =>
      session.formatFilePlace(chunk.sourceFile, line),
    );
    return searchText(body, { ...session.resultsView, ...given, places });
  });
  if (given.failOnEmpty && body.results.length === 0) throw new NothingFound();
}

/** Prints the results of the route of the specification, whose ranking anybody can recompute. */
async function searchAsSpecified(session: Session, given: SearchInput): Promise<void> {
  await loadModel(session);
  const body = await session.call('POST /api/knowledge/search', given);
  await session.print(body, async ({ results }) => {
    const { resultsText } = await import('../text/results.js');
    const places = await session.formatPlaces(results);
    return resultsText(results, { ...session.resultsView, ...given, places });
  });
  if (given.failOnEmpty && body.results.length === 0) throw new NothingFound();
}

/** Searches only projects that have an application directory, so that nothing is created in the others. */
async function searchProjects(
  session: Session,
  { projectPath: _, ...given }: SearchInput,
  projects: readonly string[],
): Promise<void> {
  const { isInitialized } = await session.parts.projects();
  const paths = projects.map((path) => resolve(session.directory, path));
  const indexed = paths.filter((path) => isInitialized(path));
  const others = paths.filter((path) => !indexed.includes(path));
  const found = indexed.length === 0 ? NOTHING : await ask(session, given, indexed);
  const skipped = [
    ...found.skipped,
    ...others.map((projectPath) => ({ projectPath, reason: 'Nothing is indexed there.' })),
  ];
  for (const { projectPath, reason } of session.showsText ? skipped : []) {
    session.note(`${projectPath} was not searched: ${reason}`);
  }
  await session.print({ ...found, skipped }, (body) => projectsText(session, body, given));
}

const NOTHING: ProjectsBody = { results: [], totalTokens: 0, skipped: [] };

async function ask(session: Session, given: Fields, projectPaths: readonly string[]) {
  await loadModel(session, projectPaths);
  return session.call('POST /api/knowledge/x/search-projects', {
    ...given,
    maxResults: given['maxResults'] ?? SHOWN_RESULTS,
    projectPaths,
  });
}

async function projectsText(
  session: Session,
  body: ProjectsBody,
  given: SearchInput,
): Promise<string> {
  const { searchProjectsText } = await import('../text/search-text.js');
  const located = body.results.map((result) => session.formatPlaces([result], result.projectPath));
  const places = (await Promise.all(located)).flat();
  return searchProjectsText(body, { ...session.view, ...given, places });
}
