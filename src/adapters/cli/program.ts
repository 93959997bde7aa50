import { Command } from 'commander';
import type { CommandLineParts } from './command-line-parts.js';
import type { CommandContext } from './commands/command-context.js';
import { COMMANDS, type ListedCommand } from './commands/commands.js';
import { stylesFor } from './text/styles.js';

/**
 * The program `knowledge-store`. Its help needs the names and summaries of the commands alone: what else
 * belongs to a command is loaded if it is named.
 * @param words the arguments after the name of the program
 */
export function createProgram(parts: CommandLineParts, words: readonly string[]): Promise<Command> {
  return programWith(parts, ({ name }) => words.includes(name));
}

async function programWith(
  parts: CommandLineParts,
  isNeeded: (command: ListedCommand) => boolean,
): Promise<Command> {
  const program = emptyProgram(parts);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const listed of commands) {
      const command = program.command(listed.name).summary(listed.summary);
      if (isNeeded(listed)) await declare(command, listed, parts);
    }
  }
  return program;
}

async function declare(
  command: Command,
  { load }: ListedCommand,
  parts: CommandLineParts,
): Promise<void> {
  const { Runner } = await import('./runner.js');
  const context: CommandContext = {
    parts,
    runner: new Runner(parts),
    wholeProgram: () => programWith(parts, () => true),
  };
  (await load())(command, context);
}

function emptyProgram(parts: CommandLineParts): Command {
  const program = new Command('knowledge-store')
    .description('Finds what earlier work on a project has already taught.')
    .version(parts.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .usage('<command> [options]')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  configureOutput(program, parts);
  return program;
}

const EXAMPLES = `
Examples:
  $ knowledge-store ingest                          index the project around the working directory
  $ knowledge-store search cache invalidation       search it by keyword and meaning
  $ knowledge-store search '"write lock" AND wal*' --json
  $ knowledge-store serve                           serve HTTP on http://127.0.0.1:3737

The project is --project <directory>, or the nearest directory upwards with an application directory
(.knowledge), or else the working directory. Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`;

function configureOutput(program: Command, { terminal }: CommandLineParts): void {
  const styles = stylesFor(terminal.colors.out);
  program.configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.err(text),
    // Errors are written once, by the caller of the program.
    outputError: () => undefined,
    getOutHelpWidth: () => terminal.columns,
    getErrHelpWidth: () => terminal.columns,
    getOutHasColors: () => terminal.colors.out,
    getErrHasColors: () => terminal.colors.err,
  });
  program.configureHelp({
    // Arguments and options are in the help of each command.
    subcommandTerm: (command) => command.name(),
    styleTitle: (text) => styles.bold(text),
    styleCommandText: (text) => styles.name(text),
    styleSubcommandText: (text) => styles.name(text),
    styleOptionText: (text) => styles.name(text),
  });
}
