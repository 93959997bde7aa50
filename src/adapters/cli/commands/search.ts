import { type Command, Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { CANDIDATE_SETS, FUSIONS } from '../../../domain/settings.js';
import type { SearchBody } from '../bodies.js';
import { loadModel } from '../model-loading.js';
import type { Needs } from '../runner.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import type { CommandContext } from './command-context.js';
import { collected, examples, withProjectOptions } from './project-command.js';

interface SearchOptions extends ProjectOptions {
  readonly maxResults?: number;
  readonly maxTokens?: number;
  readonly type?: readonly string[];
  readonly fusion?: string;
  readonly candidates?: string;
  readonly explain?: boolean;
  readonly full?: boolean;
  readonly model: boolean;
}

/** `search`: `POST /api/knowledge/search`. */
export function declareSearch(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description(
      'Finds chunks by keyword and meaning, best first. Any text is a query; "a phrase", AND, OR, NOT and prefix* are understood.',
    )
    .argument('<query...>', 'words or an expression')
    .option('-n, --max-results <number>', 'at most this many results (default: 20)', Number)
    .option('-t, --max-tokens <number>', 'token budget of the results (default: 8000)', Number)
    .option(
      '--type <type>',
      `only chunks of this source type, repeatable: ${SOURCE_TYPES.join(', ')}`,
      collected,
    )
    .addOption(new Option('--fusion <name>', 'how the two rankings are merged').choices(FUSIONS))
    .addOption(new Option('--candidates <set>', 'which chunks are ranked').choices(CANDIDATE_SETS))
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
    .action((words: readonly string[], options: SearchOptions) =>
      runner.run(options, needsOf(options), (session) => search(session, words.join(' '), options)),
    );
}

function needsOf({ model }: SearchOptions): Needs {
  return { access: 'searches', model: model ? 'installed' : 'unused' };
}

async function search(session: Session, query: string, options: SearchOptions): Promise<void> {
  await loadModel(session);
  const body = await session.call<SearchBody>('POST /api/knowledge/search', {
    query,
    maxResults: options.maxResults,
    maxTokens: options.maxTokens,
    sourceTypes: options.type,
    fusion: options.fusion,
    candidates: options.candidates,
    explain: session.showsText || options.explain ? true : undefined,
  });
  await session.print(body, async () => {
    const { searchText } = await import('../text/results.js');
    return searchText(body, { ...viewOf(session), ...options });
  });
  if (session.showsText && !session.project.isInitialized) {
    session.note('Nothing is indexed here yet: run "knowledge-store ingest".');
  }
}
