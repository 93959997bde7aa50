import type { Fields, RouteName } from '../command-line-parts.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, printableLine } from '../text/format.js';
import {
  collected,
  type Declare,
  examples,
  WRITES,
  withProjectOptions,
} from './project-command.js';

/** A command that does what one route does, and nothing else. */
interface RouteCommand<Body> {
  readonly route: RouteName;
  readonly description: string;
  /** The field that the argument fills, and its help. */
  readonly argument: readonly [field: string, name: string, help: string];
  /** Fields that options fill, with their flags and help. */
  readonly options: readonly (readonly [field: string, flags: string, help: string])[];
  readonly example: string;
  readonly text: (body: Body) => string;
}

const TAGS = '--tag <tag>';

interface SavedBody {
  readonly sourceFile: string;
  readonly chunks: number;
}

const savedText = ({ sourceFile, chunks }: SavedBody) =>
  `Saved as ${printableLine(sourceFile)}: ${counted(chunks, 'chunk')}.`;

const page: RouteCommand<SavedBody> = {
  route: 'POST /api/knowledge/x/urls',
  description: 'Fetches a public web page and keeps its main text; needs KNOWLEDGE_FETCH=1.',
  argument: ['url', '<url>', 'its address'],
  options: [
    ['tags', TAGS, 'a tag, repeatable'],
    ['importance', '--importance <number>', 'from 0 to 1 (default: 0.5)'],
  ],
  example: 'page https://www.sqlite.org/wal.html --tag sqlite',
  text: savedText,
};

const digest: RouteCommand<SavedBody> = {
  route: 'POST /api/knowledge/x/digests',
  description:
    'Summarizes a memory category, or the reflections of an epic; needs a language model.',
  argument: ['category', '[category]', 'name of a memory file, without .md'],
  options: [['epicId', '--epic <id>', 'the epic, instead of a category']],
  example: 'digest database',
  text: savedText,
};

const document: RouteCommand<SavedBody> = {
  route: 'POST /api/knowledge/x/documents',
  description: 'Stores a text that is in no file of the project, from standard input.',
  argument: ['path', '<path>', 'under which path it is known'],
  options: [
    ['title', '--title <text>', 'heading of chunks without one'],
    ['sourceType', '--type <type>', 'its source type (default: file)'],
    ['tags', TAGS, 'a tag, repeatable'],
    ['importance', '--importance <number>', 'from 0 to 1'],
  ],
  example: 'document handbook/on-call.md < on-call.md',
  text: savedText,
};

interface CompletionBody {
  readonly learnings: number;
  readonly added: number;
  readonly categories: readonly string[];
}

const complete: RouteCommand<CompletionBody> = {
  route: 'POST /api/knowledge/x/features/complete',
  description: 'Adds what a finished feature taught to the memory; needs a language model.',
  argument: ['featureId', '<feature>', 'its folder'],
  options: [],
  example: 'complete login',
  text: ({ learnings, added, categories }) =>
    `${counted(learnings, 'lesson')} found, ${added} new${added === 0 ? '' : ` in ${printableLine(categories.join(', '))}`}.`,
};

interface RestoreBody {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

const restore: RouteCommand<RestoreBody> = {
  route: 'POST /api/knowledge/x/compact/restore',
  description: 'Takes back the last compaction of a memory file.',
  argument: ['category', '<category>', 'name of the memory file, without .md'],
  options: [],
  example: 'restore database',
  text: ({ tokensBefore, tokensAfter }) =>
    `The text before the last compaction is back: ${Math.round(tokensAfter)} tokens instead of ${Math.round(tokensBefore)}.`,
};

export const commands = {
  page: declare(page),
  digest: declare(digest),
  document: declare(document, async ({ terminal }) => ({ content: await terminal.readInput() })),
  complete: declare(complete),
  restore: declare(restore),
};

/** @param more fields that are neither argument nor option */
function declare<Body>(
  { route, argument, options, ...shown }: RouteCommand<Body>,
  more: (session: Session) => Promise<Fields> = async () => ({}),
): Declare {
  return (command, { runner }) => {
    const [field, name, help] = argument;
    withProjectOptions(command).description(shown.description).argument(name, help);
    for (const [, flags, does] of options) {
      if (flags === TAGS) command.option(flags, does, collected);
      else if (flags.endsWith('<number>')) command.option(flags, does, Number);
      else command.option(flags, does);
    }
    command.addHelpText('after', examples(shown.example));
    command.action((value: string | undefined, given: ProjectOptions & Fields) =>
      runner.run(given, WRITES, async (session) => {
        const fields = options.map(([of, flags]) => [of, given[nameOf(flags)]]);
        const all = { ...Object.fromEntries(fields), ...(await more(session)), [field]: value };
        await session.print(await session.call<Body>(route, all), shown.text);
      }),
    );
  };
}

/** `tag` of `--tag <tag>`. */
function nameOf(flags: string): string {
  return /^--(\w+)/.exec(flags)?.[1] ?? flags;
}
