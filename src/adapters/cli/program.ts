import { Command } from 'commander';
import type { CommandLineParts } from './command-line-parts.js';
import { addBackup, addExport, addImport, addRestore } from './commands/archives.js';
import { addCompletion } from './commands/completion.js';
import { addDoctor } from './commands/doctor.js';
import { addIngest, addRebuild } from './commands/ingest.js';
import { addInit } from './commands/init.js';
import { addLessons, addSimilar } from './commands/lessons.js';
import { addModels } from './commands/models.js';
import { addNote } from './commands/note.js';
import { addSearch } from './commands/search.js';
import { addMcp, addServe } from './commands/serve.js';
import { addSources } from './commands/sources.js';
import { addStats, addStatus } from './commands/stats.js';
import { addCompact, addPrune } from './commands/upkeep.js';
import { Runner } from './runner.js';
import { stylesFor } from './text/styles.js';

/** The commands of `knowledge-store`. */
export function createProgram(parts: CommandLineParts): Command {
  const runner = new Runner(parts);
  const program = new Command('knowledge-store')
    .description('Finds what earlier work on a project has already taught.')
    .version(parts.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .usage('<command> [options]')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  configureOutput(program, parts);
  program.commandsGroup('Knowledge:');
  for (const add of [addSearch, addLessons, addSimilar, addNote]) add(program, runner);
  program.commandsGroup('Index:');
  for (const add of [addInit, addIngest, addRebuild, addSources, addStats, addStatus])
    add(program, runner);
  program.commandsGroup('Upkeep:');
  for (const add of [addPrune, addCompact, addModels]) add(program, runner);
  program.commandsGroup('When it breaks:');
  for (const add of [addDoctor, addBackup, addRestore, addExport, addImport]) add(program, runner);
  program.commandsGroup('Service:');
  addServe(program, parts);
  addMcp(program, parts);
  program.commandsGroup('Terminal:');
  addCompletion(program, parts);
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
    styleTitle: (text) => styles.bold(text),
    styleCommandText: (text) => styles.name(text),
    styleSubcommandText: (text) => styles.name(text),
    styleOptionText: (text) => styles.name(text),
  });
}
