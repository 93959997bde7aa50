import type { Command } from 'commander';
import type { CommandLineParts } from '../command-line-parts.js';
import type { Needs, Runner } from '../runner.js';

/** Adds the description, the arguments, the options and the action of a command. */
export type Declare = (command: Command, context: CommandContext) => void;

/** What the declaration of a command needs to carry it out. */
export interface CommandContext {
  readonly parts: CommandLineParts;
  readonly runner: Runner;
  /** The program with every command declared. */
  readonly wholeProgram: () => Promise<Command>;
}

/** Vectors that are installed are used; nothing is made where nothing is indexed. */
export const SEARCHES: Needs = { access: 'searches', model: 'installed' };
export const READS: Needs = { access: 'reads', model: 'unused' };
export const WRITES: Needs = { access: 'writes', model: 'unused' };

/** Options that every command on a project has. */
export function withProjectOptions(command: Command): Command {
  return command
    .option('-p, --project <directory>', 'the project; default: found from the working directory')
    .option('--json', 'print the JSON of the matching HTTP route, and nothing else');
}

/** The examples at the end of a command's help; each is the words after `knowledge-store`. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ knowledge-store ${line}`).join('\n')}`;
}

/** A repeatable option: adds a value to those given before. */
export function collected(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
