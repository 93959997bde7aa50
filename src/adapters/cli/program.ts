import { Command } from 'commander';
import type { CommandLineParts } from './command-line-parts.js';
import { COMMANDS, type ListedCommand } from './commands/commands.js';
import type { CommandContext } from './commands/project-command.js';
import { type ExitCode, exitOf, UsageError } from './exit.js';
import { stylesFor } from './text/format.js';

/**
 * Carries out one command and returns the exit code of the process. An error is one line on standard
 * error. The help of the program needs the names and summaries of the commands alone: what else belongs to a
 * command is loaded if it is named.
 * @param words the arguments after the name of the program
 */
export async function runCommandLine(
  words: readonly string[],
  parts: CommandLineParts,
): Promise<ExitCode> {
  try {
    checkHelp(words);
    const program = await programWith(parts, ({ name }) => words.includes(name));
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    const { code, sentence } = exitOf(error);
    if (sentence !== undefined) parts.terminal.err(`knowledge-store: ${sentence}\n`);
    return code;
  }
}

/** Commander prints the general help for a command that does not exist. */
function checkHelp([first, name]: readonly string[]): void {
  if (first !== 'help' || name === undefined || name.startsWith('-') || name === 'help') return;
  const isKnown = Object.values(COMMANDS).some((list) => list.some((one) => one.name === name));
  if (!isKnown) throw new UsageError(`Unknown command '${name}'; see --help.`);
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
  $ knowledge-store ingest
  $ knowledge-store search cache invalidation
  $ knowledge-store get docs/db.md:12
  $ knowledge-store connect claude

The project is --project <directory>, or the nearest
directory upwards that has an application directory or is
the root of a git project, or else the working directory.
Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`;

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
    minWidthToWrap: 20,
    // Arguments and options are in the help of each command.
    subcommandTerm: (command) => command.name(),
    styleTitle: (text) => styles.bold(text),
    styleCommandText: (text) => styles.name(text),
    styleSubcommandText: (text) => styles.name(text),
    styleOptionText: (text) => styles.name(text),
  });
}
