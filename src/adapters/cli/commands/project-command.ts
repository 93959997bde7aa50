import type { Command } from 'commander';

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
