import { Argument, type Command as Commander, Option } from 'commander';
import { KnowledgeError } from '../../../domain/errors.js';
import type { CommandLineParts, Fields } from '../command-line-parts.js';
import { UsageError } from '../exit.js';
import { inProject } from '../session.js';
import { capitalize } from '../text/format.js';
import type { Command, PlainCommand, ProjectCommand } from './command.js';
import { declareOption, shortFlag } from './options.js';

/** Declares a command for Commander: description, arguments, options and action. */
export function declare(command: Commander, row: Command, parts: CommandLineParts): void {
  command.description(row.description ?? `${capitalize(row.summary)}.`);
  if ('commands' in row) {
    for (const one of row.commands) {
      const { name, summary, isDefault = false } = one;
      declare(command.command(name, { isDefault }).summary(summary), one, parts);
    }
    return;
  }
  for (const { flags, help, choices } of row.arguments ?? []) {
    const argument = new Argument(flags, help);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of declareOptions(row)) command.addOption(option);
  const examples = (row.examples ?? []).map((line) => `  $ knowledge-store ${line}`);
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  command.action(async () => carryOut(row, await givenTo(command, row, parts), parts));
}

function declareOptions(row: ProjectCommand | PlainCommand): readonly Option[] {
  const own = [
    ...(row.fields ?? []).map(declareOption),
    ...(row.options ?? []).map(([flags, help, ...choices]) => {
      const option = new Option(flags, help);
      return choices.length === 0 ? option : option.choices(choices);
    }),
  ];
  if (!('work' in row)) return own;
  const needs = typeof row.needs === 'function' ? undefined : row.needs;
  return [
    ...(needs?.access === 'nothing' ? [] : [declareOption('projectPath')]),
    ...(needs?.output === 'text' ? [] : [JSON_OPTION]),
    ...own,
  ];
}

const JSON_OPTION = new Option('--json', 'print only the JSON response of the matching HTTP route');

/** Returns the fields that arguments and options fill, and the values of all other options by name. */
async function givenTo(
  command: Commander,
  { arguments: expected = [], fields = [] }: ProjectCommand | PlainCommand,
  { terminal }: CommandLineParts,
): Promise<Fields> {
  const options = command.optsWithGlobals();
  const given: Record<string, unknown> = { ...options };
  for (const field of fields) given[field] = options[declareOption(field).attributeName()];
  for (const [i, { field }] of expected.entries()) {
    const value = command.processedArgs[i];
    const text = Array.isArray(value) ? value.join(' ') : value;
    given[field] = TEXTS.has(field) && text === '-' ? await terminal.readInput() : text;
  }
  return given;
}

/** Fields whose arguments read standard input if they are `-`. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'text', 'append']);

async function carryOut(
  row: ProjectCommand | PlainCommand,
  given: Fields,
  parts: CommandLineParts,
): Promise<void> {
  if (!('work' in row)) return row.run(parts, given);
  const needs = typeof row.needs === 'function' ? row.needs(given) : (row.needs ?? {});
  try {
    await inProject(parts, { ...given, needs }, (session) => row.work(session, given));
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    const sentence = withOptionNames(row, error.message);
    throw error.code === 'invalid_request' ? new UsageError(sentence) : new Error(sentence);
  }
}

/** Replaces the field that a message begins with (`maxResults must be …`) with the user's option (`--max-results`). */
function withOptionNames({ arguments: expected = [] }: ProjectCommand, sentence: string): string {
  return sentence.replace(/^[a-z]\w*/, (field) => {
    const isArgument = expected.some((one) => one.field === field);
    const flag = isArgument ? undefined : shortFlag(field);
    return flag ?? `The ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
  });
}
