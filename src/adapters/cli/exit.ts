import { CommanderError } from 'commander';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';

/** 0: done. 1: it could not be done. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** The command was written wrongly. The message is one sentence. */
export class UsageError extends Error {}

/** How a command ended, and what standard error says about it. */
export interface Exit {
  readonly code: ExitCode;
  /** Absent if nothing went wrong. */
  readonly sentence?: string;
}

/** @param error anything that was thrown while a command was read or carried out */
export function exitOf(error: unknown): Exit {
  if (error instanceof CommanderError) return exitOfCommander(error);
  const code = isWrongUsage(error) ? 2 : 1;
  return { code, sentence: withFlagNames(reasonOf(error)) };
}

/** Commander has written help and versions itself; its errors end without a full stop. */
function exitOfCommander({ code, exitCode, message }: CommanderError): Exit {
  if (exitCode === 0) return { code: 0 };
  if (code === 'commander.help') return { code: 2 };
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const [, option, value, argument, choices] = WRONG_CHOICE.exec(problem) ?? [];
  if (choices !== undefined) {
    const sentence = `${option ?? `The ${argument}`} must be one of ${choices}; it is "${value}".`;
    return { code: 2, sentence };
  }
  const end = suggestion === undefined ? '; see --help.' : `; did ${suggestion.slice(5, -1)}`;
  return { code: 2, sentence: capitalized(problem.replace(/\.$/, '')) + end };
}

const WRONG_CHOICE =
  /^(?:option '(\S+).*' argument|command-argument value) '(.*)' is invalid(?: for argument '(\w+)')?\. Allowed choices are (.*)\.$/;

function isWrongUsage(error: unknown): boolean {
  return (
    error instanceof UsageError ||
    (error instanceof KnowledgeError && error.code === 'invalid_request')
  );
}

/** The service names the field of a request (`maxResults must be …`), whose flag is `--max-results`. */
function withFlagNames(sentence: string): string {
  return sentence.replace(
    /^(\w+)(?= (?:must|is (?:not|outside)) )/,
    (field) => FLAGS[field] ?? field,
  );
}

const FLAGS: Readonly<Record<string, string>> = {
  projectPath: '--project',
  maxResults: '--max-results',
  maxTokens: '--max-tokens',
  sourceTypes: '--type',
  sourceType: '--type',
  sourceFile: 'The source file',
  fusion: '--fusion',
  candidates: '--candidates',
  threshold: '--threshold',
  featureId: '--feature',
  importance: '--importance',
  tags: '--tag',
  title: 'The title',
  content: 'The content',
  query: 'The query',
  text: 'The text',
  category: 'The category',
  id: 'The id',
  name: 'The name',
  url: 'The url',
  path: 'The path',
  epicId: '--epic',
};

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
