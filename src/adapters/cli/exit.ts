import { CommanderError } from 'commander';
import { errorReason } from '../../domain/errors.js';
import { capitalize } from './text/format.js';

/** 0: success. 1: failure. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Wrong usage of a command. The message is one sentence. */
export class UsageError extends Error {}

/** Thrown if nothing was found and `--fail-on-empty` makes that a failure, as with grep. */
export class NothingFound extends Error {}

/** How a command ends: its exit code and message. */
export interface Exit {
  readonly code: ExitCode;
  /** Absent if nothing went wrong. */
  readonly sentence?: string;
}

/**
 * @param error anything that was thrown while a command was read or carried out
 * @param given the arguments after the name of the program
 */
export function exitFor(error: unknown, given: readonly string[] = []): Exit {
  if (error instanceof NothingFound) return { code: 1 };
  if (error instanceof CommanderError) return exitOfCommander(error, given);
  return { code: error instanceof UsageError ? 2 : 1, sentence: errorReason(error) };
}

/** Commander has already printed help and versions. Its error messages get a hint at the end. */
function exitOfCommander(
  { code, exitCode, message }: CommanderError,
  given: readonly string[],
): Exit {
  if (exitCode === 0) return { code: 0 };
  if (code === 'commander.help') return { code: 2 };
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const [, value, argument, choices] = WRONG_ARGUMENT.exec(problem) ?? [];
  if (choices !== undefined) {
    const rule = choices.includes(',') ? `one of ${choices}` : choices;
    return { code: 2, sentence: `The ${argument} must be ${rule}; it is "${value}".` };
  }
  const isText = /^unknown option '-(?:[^-'\s]*'?$|.*\s)/.test(problem);
  if (code === 'commander.missingArgument' && given.includes('--projects'))
    return { code: 2, sentence: QUERY_FIRST };
  const end = isText ? `${OPTION_OR_TEXT}; see --help.` : suggestionEnd(suggestion);
  return { code: 2, sentence: capitalize(problem.replace(/\.$/, '')) + end };
}

const QUERY_FIRST =
  '--projects takes all words after it; put the query first, as in "search lock --projects ~/a ~/b".';
const OPTION_OR_TEXT = '; put -- before a text that begins with "-"';

function suggestionEnd(suggestion: string | undefined): string {
  return suggestion === undefined ? '; see --help.' : `; did ${suggestion.slice(5, -1)}`;
}

const WRONG_ARGUMENT =
  /^command-argument value '(.*)' is invalid for argument '(\w+)'\. Allowed choices are (.*)\.$/;
