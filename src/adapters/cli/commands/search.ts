import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { CANDIDATE_SETS, FUSIONS } from '../../../domain/settings.js';
import type { SearchBody } from '../bodies.js';
import { loadModel } from '../model.js';
import { showProjects } from '../projects-results.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import {
  type CommandContext,
  collected,
  type Declare,
  examples,
  READS,
  SEARCHES,
  withProjectOptions,
} from './project-command.js';

interface SearchCommandOptions extends ProjectOptions {
  readonly maxResults?: number;
  readonly maxTokens?: number;
  readonly type?: readonly string[];
  readonly tag?: readonly string[];
  readonly minRelevance?: number;
  readonly includeSuperseded?: true;
  readonly projects?: readonly string[];
  readonly fusion?: string;
  readonly candidates?: string;
  readonly explain?: boolean;
  readonly full?: boolean;
  readonly all?: boolean;
  readonly model: boolean;
}

/** `search`: `POST /api/knowledge/search`. */
const search: Declare = (command, context) => {
  const { runner } = context;
  withRankingOptions(withFilterOptions(withProjectOptions(command)))
    .description(
      'Finds chunks by keyword and meaning, best first. Any text is a query; "a phrase", AND, OR, NOT and prefix* are understood.',
    )
    .argument('<query...>', 'words or an expression')
    .option('--projects <directory...>', 'search these projects instead, most relevant first')
    .option('--all', 'also show what does not seem relevant')
    .option('--full', 'show the whole text of each result')
    .option('--explain', 'show why the results were found')
    .option('--no-model', 'search by keyword alone, which is faster')
    .addHelpText(
      'after',
      examples(
        'search redis cache invalidation',
        'search -n 3 --type reflection "flaky test"',
        'search "release day" --projects ~/a ~/b',
        `search '"write lock" AND (wal OR journal*)'`,
      ),
    )
    .action((words: readonly string[], options: SearchCommandOptions) => {
      const model = options.model ? 'installed' : 'unused';
      const query = words.join(' ');
      return options.projects === undefined
        ? runner.run(options, { ...SEARCHES, model }, (session) => show(session, query, options))
        : searchProjects(context, { ...options, projects: options.projects, query });
    });
};

export const commands = { search };

interface ProjectsSearchOptions extends SearchCommandOptions {
  readonly query: string;
  readonly projects: readonly string[];
}

/** Nothing is made in a directory where nothing is indexed. */
async function searchProjects(
  { parts, runner }: CommandContext,
  { project: _, ...options }: ProjectsSearchOptions,
): Promise<void> {
  const appDirs = await parts.findAppDir();
  const isIndexed = (path: string) => appDirs.find(path) !== undefined;
  const paths = options.projects.map((path) => resolve(parts.directory, path));
  const indexed = paths.filter(isIndexed);
  const others = paths.filter((path) => !isIndexed(path));
  const [project] = indexed;
  const needs = { ...READS, model: options.model ? 'installed' : 'unused' } as const;
  await runner.run({ ...options, ...(project && { project }) }, needs, (session) =>
    showProjects(session, fieldsOf(session, options.query, options), {
      ...options,
      indexed,
      others,
    }),
  );
}

function withFilterOptions(command: Command): Command {
  return command
    .option('-n, --max-results <number>', 'at most this many results (default: 5)', Number)
    .option('-t, --max-tokens <number>', 'token budget of the results (default: 8000)', Number)
    .option(
      '--type <type>',
      `only chunks of this source type, repeatable: ${SOURCE_TYPES.join(', ')}`,
      collected,
    )
    .option('--tag <tag>', 'only chunks with this tag, repeatable', collected)
    .option('--min-relevance <number>', 'only results of at least this relevance, 0 to 1', Number)
    .option('--include-superseded', 'also find notes that another note replaces');
}

function withRankingOptions(command: Command): Command {
  return command
    .addOption(new Option('--fusion <name>', 'how the two rankings are merged').choices(FUSIONS))
    .addOption(new Option('--candidates <set>', 'which chunks are ranked').choices(CANDIDATE_SETS));
}

async function show(session: Session, query: string, options: SearchCommandOptions): Promise<void> {
  await loadModel(session);
  const ask = (candidates: string | undefined) =>
    session.call<SearchBody>('POST /api/knowledge/search', { ...fields, candidates });
  const explain = session.showsText || options.explain ? true : undefined;
  const fields = { ...fieldsOf(session, query, options), explain };
  const asked = await ask(options.candidates);
  const body =
    session.showsText && !options.candidates && sharesNoWord(asked) ? await ask('union') : asked;
  await session.print(body, async () => {
    const empty = body.results.length === 0 ? await session.emptiness() : undefined;
    if (empty !== undefined) return empty;
    const { searchText } = await import('../text/search-text.js');
    const places = await session.placesOf(body.results);
    return searchText(body, { ...viewOf(session), ...options, places });
  });
}

function fieldsOf(session: Session, query: string, options: SearchCommandOptions) {
  return {
    query,
    maxResults: options.maxResults ?? (session.showsText ? SHOWN_RESULTS : undefined),
    maxTokens: options.maxTokens,
    sourceTypes: options.type,
    tags: options.tag,
    minRelevance: options.minRelevance,
    includeSuperseded: options.includeSuperseded,
    fusion: options.fusion,
  };
}

/** The answer is empty because the candidates were those that share a word with the query. */
function sharesNoWord({ explain }: SearchBody): boolean {
  return explain?.notes.some(({ code }) => code === 'no_match') === true;
}

const SHOWN_RESULTS = 5;
