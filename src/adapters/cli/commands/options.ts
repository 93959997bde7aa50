import { Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import { PROJECT_HELP } from '../project-directory.js';

/**
 * The flags and help of options that fill request fields. Routes check the values. A field has the same option in every
 * command.
 */
const OPTIONS = {
  maxResults: ['-n, --max-results <number>', 'at most this many results (default: 5)'],
  maxTokens: ['-t, --max-tokens <number>', 'token budget of the results (default: 8000)'],
  sourceTypes: [
    '--type <type>',
    `only chunks of this type, repeatable: ${SOURCE_TYPES.join(', ')} (or note)`,
  ],
  sourceType: ['--type <type>', 'only files of this type'],
  tags: ['--tag <tag>', 'a tag, repeatable'],
  paths: ['--path <glob>', 'only files that match, or are in this folder; repeatable'],
  since: ['--since <time>', 'only chunks created at this time or later: 2026-05-01, 12h, 7d, 3w'],
  until: ['--until <time>', 'only chunks created before this time'],
  also: ['--also <text>', 'the same question in words that a document about it would use'],
  minRelevance: ['--min-relevance <number>', 'only results of at least this relevance, 0 to 1'],
  includeSuperseded: ['--include-superseded', 'also find notes that other notes replace'],
  projectPaths: ['--projects <directory...>', 'search these projects instead, most relevant first'],
  description: ['-d, --description <text>', 'its description'],
  featureId: ['-f, --feature <id>', 'its feature folder, whose own chunks are left out'],
  sourceFile: ['-x, --exclude <source>', 'leave out the chunks of this source file'],
  importance: ['--importance <number>', 'from 0 to 1 (default: 0.5)'],
  supersedes: ['--supersedes <id>', 'the note that this one replaces in searches'],
  ifVersion: ['--if-version <version>', 'only if the note still has this version'],
  expires: ['--expires <day>', 'leave it out of searches from this day on (2026-12-31)'],
  author: ['--author <name>', 'its author'],
  id: ['--id <id>', 'name of its file without .md; default: made from the title'],
  force: ['--force', 'save it even if the same text is already stored'],
  threshold: ['--threshold <number>', 'summarize above this many tokens (default: 50000)'],
  dryRun: ['--dry-run', 'only show the planned changes'],
  repair: ['--repair', 'repair the problems'],
  projectPath: ['-p, --project <directory>', PROJECT_HELP],
} as const satisfies Readonly<Record<string, readonly [flags: string, help: string]>>;

export type OptionField = keyof typeof OPTIONS;

const LISTS: ReadonlySet<OptionField> = new Set(['tags', 'sourceTypes', 'paths']);

export function declareOption(field: OptionField): Option {
  const [flags, help] = OPTIONS[field];
  const option = new Option(flags, help);
  if (field === 'sourceType') option.argChoices = [...SOURCE_TYPES];
  if (flags.endsWith('<number>')) option.argParser(readNumber);
  if (LISTS.has(field)) option.argParser(field === 'sourceTypes' ? collectType : collect);
  return option;
}

/** `--max-results` for `maxResults`; undefined for a field that no option fills. */
export function shortFlag(field: string): string | undefined {
  const [, option] = Object.entries(OPTIONS).find(([name]) => name === field) ?? [];
  return option === undefined ? undefined : /--[\w-]+/.exec(option[0])?.[0];
}

/** Leaves anything but a number as text, which the route then rejects. */
function readNumber(text: string): number | string {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** Accepts `note` for the type `manual`, because the documentation and the other commands say note. */
function collectType(value: string, previous?: readonly string[]): readonly string[] {
  return collect(value === 'note' ? 'manual' : value, previous);
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
