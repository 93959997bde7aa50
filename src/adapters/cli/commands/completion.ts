import type { Command, PlainCommand, ProjectCommand } from './command.js';
import { optionOf } from './options.js';

/** What may stand in place of the last word that was typed, one on each line. Where that is nothing, shells offer files. */
export function completionsOf(
  { COMP_LINE = '', COMP_POINT }: NodeJS.ProcessEnv,
  commands: readonly Command[],
): string {
  const typed = COMP_POINT === undefined ? COMP_LINE : COMP_LINE.slice(0, Number(COMP_POINT));
  const words = typed.split(/\s+/).slice(1);
  const possible = possibleWords(words.slice(0, -1), words.at(-1) ?? '', commands);
  return possible
    .filter((word) => word.startsWith(words.at(-1) ?? ''))
    .map((word) => `${word}\n`)
    .join('');
}

function possibleWords(
  [name, ...before]: readonly string[],
  current: string,
  commands: readonly Command[],
): readonly string[] {
  if (name === undefined) return commands.map((command) => command.name);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return [];
  if ('commands' in command) return possibleWords(before, current, command.commands);
  return wordsOf(command, before.at(-1), current);
}

function wordsOf(
  command: ProjectCommand | PlainCommand,
  before: string | undefined,
  current: string,
): readonly string[] {
  const options = (command.fields ?? []).map(optionOf);
  const value = options.find(({ flags }) => before && flags.split(/[ ,]+/).includes(before));
  if (value?.required) return value.argChoices ?? [];
  const others = (command.options ?? []).flatMap(([flags]) => flags.match(/--[\w-]+/g) ?? []);
  if (current.startsWith('-')) return [...options.map(({ long }) => long ?? ''), ...others];
  return command.arguments?.[0]?.choices ?? [];
}
