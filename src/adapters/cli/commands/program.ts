import { Command as Commander } from 'commander';
import type { CommandLineParts } from '../command-line-parts.js';
import { type ExitCode, exitFor, UsageError } from '../exit.js';
import { PROJECT_HELP } from '../project-directory.js';
import { printableLine, stylesFor } from '../text/format.js';
import { connect, sessionEnd, sessionPrompt, sessionStart } from './agents.js';
import { api } from './api.js';
import type { Command } from './command.js';
import { evaluate } from './evaluate.js';
import { ingest, init, rebuild, sources } from './indexing.js';
import { lessons, similar } from './lessons.js';
import { get, stale } from './reading.js';
import { note, page } from './saving.js';
import { search } from './search.js';
import { mcp, serve, stop } from './serving.js';
import { models, status } from './status.js';
import { compact, doctor, importDatabase, prune, uninstall } from './upkeep.js';

/**
 * Runs one command and returns the exit code of the process. Writes an error as one line to standard error. Only the
 * named command gets its options built, because the list of commands needs only names and summaries.
 * @param given the arguments after the name of the program
 */
export async function runCommandLine(
  given: readonly string[],
  parts: CommandLineParts,
): Promise<ExitCode> {
  try {
    const words = readHelp(given);
    const program = await buildProgram(isHook(words) ? withoutMessages(parts) : parts, words);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (isHook(given)) return 0;
    const { code, sentence } = exitFor(error, given);
    if (sentence !== undefined) parts.terminal.err(`knowledge-store: ${printableLine(sentence)}\n`);
    return code;
  }
}

/** Commands for agents. After a failure they exit with 0 and print nothing: agents take exit code 2 for a refusal. */
const HOOKS: readonly Command[] = [sessionStart, sessionPrompt, sessionEnd];

/** The commands under the headings of the list in `--help`. */
const COMMANDS: Readonly<Record<string, readonly Command[]>> = {
  'Knowledge:': [search, get, lessons, similar, note, page],
  'Index:': [init, ingest, rebuild, sources, stale, status, evaluate],
  'Agents and programs:': [connect, ...HOOKS, api, mcp, serve, stop],
  'Upkeep:': [prune, compact, models, doctor, importDatabase, uninstall],
};

/** Whether the first word that is neither an option nor its value names a hook. */
export function isHook(words: readonly string[]): boolean {
  const name = words.find(
    (word, i) => !word.startsWith('-') && !PROJECT_OPTION.test(words[i - 1] ?? ''),
  );
  return HOOKS.some((hook) => hook.name === name);
}

const PROJECT_OPTION = /^(?:-p|--project)$/;

function withoutMessages(parts: CommandLineParts): CommandLineParts {
  return { ...parts, terminal: { ...parts.terminal, err: () => undefined } };
}

/**
 * Turns `help note add` into `note add --help`. Commander's own `help` takes only one name, and prints the general help
 * for an unknown one.
 */
function readHelp(words: readonly string[]): readonly string[] {
  const [first, name, inner] = words;
  if (first !== 'help' || name === undefined || name.startsWith('-') || name === 'help')
    return words;
  const row = Object.values(COMMANDS)
    .flat()
    .find((one) => one.name === name);
  if (row === undefined) throw new UsageError(`Unknown command '${name}'; see --help.`);
  if (inner === undefined || inner.startsWith('-') || !('commands' in row)) return words;
  const isKnown = row.commands.some((one) => one.name === inner);
  if (isKnown) return [name, inner, '--help'];
  throw new UsageError(`Unknown command '${name} ${inner}'; see ${name} --help.`);
}

async function buildProgram(parts: CommandLineParts, words: readonly string[]): Promise<Commander> {
  const program = new Commander('knowledge-store')
    .description("Searches a project's documents and notes, for you and your coding agent.")
    .version(parts.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .usage('<command> [options]')
    .option('-p, --project <directory>', PROJECT_HELP)
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  configureOutput(program, parts);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const row of commands) {
      const command = program.command(row.name).summary(row.summary);
      if (!words.includes(row.name)) continue;
      const { declare } = await import('./declare.js');
      declare(command, row, parts);
    }
  }
  program.commandsGroup('Help:').helpCommand('help [command]', 'print the help of a command');
  return program;
}

const EXAMPLES = `
Examples:
  $ knowledge-store ingest
  $ knowledge-store search cache invalidation
  $ knowledge-store get docs/db.md:12
  $ knowledge-store connect claude

The project is --project <directory>, or else the nearest
directory, from here upwards, that has an application
directory or is a git root, or else the working directory.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

function configureOutput(program: Commander, { terminal }: CommandLineParts): void {
  const styles = stylesFor(terminal.colors.out);
  program.configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.err(text),
    // `runCommandLine` writes errors, so Commander must not write them as well.
    outputError: () => undefined,
    getOutHelpWidth: () => terminal.columns,
    getErrHelpWidth: () => terminal.columns,
    getOutHasColors: () => terminal.colors.out,
    getErrHasColors: () => terminal.colors.err,
  });
  program.configureHelp({
    minWidthToWrap: 20,
    // Names only: each command's own help shows its arguments and options.
    subcommandTerm: (command) => command.name(),
    styleTitle: (text) => styles.bold(text),
    styleCommandText: (text) => styles.name(text),
    styleSubcommandText: (text) => styles.name(text),
    styleOptionText: (text) => styles.name(text),
  });
}
