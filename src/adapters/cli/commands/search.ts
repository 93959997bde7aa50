import { type Command, Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { CANDIDATE_SETS, FUSIONS } from '../../../domain/settings.js';
import type { SearchBody } from '../bodies.js';
import { loadModel } from '../model.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import {
  collected,
  type Declare,
  examples,
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
  readonly fusion?: string;
  readonly candidates?: string;
  readonly explain?: boolean;
  readonly full?: boolean;
  readonly all?: boolean;
  readonly model: boolean;
}

/** `search`: `POST /api/knowledge/search`. */
const search: Declare = (command, { runner }) => {
  withRankingOptions(withProjectOptions(command))
    .description(
      'Finds chunks by keyword and meaning, best first. Any text is a query; "a phrase", AND, OR, NOT and prefix* are understood.',
    )
    .argument('<query...>', 'words or an expression')
    .option('-n, --max-results <number>', 'at most this many results (default: 5)', Number)
    .option('-t, --max-tokens <number>', 'token budget of the results (default: 8000)', Number)
    .option(
      '--type <type>',
      `only chunks of this source type, repeatable: ${SOURCE_TYPES.join(', ')}`,
      collected,
    )
    .option('--tag <tag>', 'only chunks with this tag, repeatable', collected)
    .option('--min-relevance <number>', 'only results of at least this relevance, 0 to 1', Number)
    .option('--include-superseded', 'also find notes that another note replaces')
    .option('--all', 'also show what does not seem relevant')
    .option('--full', 'show the whole text of each result')
    .option('--explain', 'show why the results were found')
    .option('--no-model', 'search by keyword alone, which is faster')
    .addHelpText(
      'after',
      examples(
        'search redis cache invalidation',
        'search -n 3 --type reflection "flaky test"',
        `search '"write lock" AND (wal OR journal*)'`,
      ),
    )
    .action((words: readonly string[], options: SearchCommandOptions) => {
      const needs = options.model ? SEARCHES : ({ ...SEARCHES, model: 'unused' } as const);
      return runner.run(options, needs, (session) => show(session, words.join(' '), options));
    });
};

export const commands = { search };

function withRankingOptions(command: Command): Command {
  return command
    .addOption(new Option('--fusion <name>', 'how the two rankings are merged').choices(FUSIONS))
    .addOption(new Option('--candidates <set>', 'which chunks are ranked').choices(CANDIDATE_SETS));
}

async function show(session: Session, query: string, options: SearchCommandOptions): Promise<void> {
  await loadModel(session);
  const ask = (candidates: string | undefined) =>
    session.call<SearchBody>('POST /api/knowledge/search', { ...fields, candidates });
  const fields = {
    query,
    maxResults: options.maxResults ?? (session.showsText ? SHOWN_RESULTS : undefined),
    maxTokens: options.maxTokens,
    sourceTypes: options.type,
    tags: options.tag,
    minRelevance: options.minRelevance,
    includeSuperseded: options.includeSuperseded,
    fusion: options.fusion,
    explain: session.showsText || options.explain ? true : undefined,
  };
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

/** The answer is empty because the candidates were those that share a word with the query. */
function sharesNoWord({ explain }: SearchBody): boolean {
  return explain?.notes.some(({ code }) => code === 'no_match') === true;
}

const SHOWN_RESULTS = 5;
