import { Argument } from 'commander';
import { hooksFile } from '../agent-hooks.js';
import { AGENTS, type Agent, type EntryFile, entryFile } from '../agents.js';
import { UsageError } from '../exit.js';
import { findProject } from '../project-directory.js';
import type { Terminal } from '../terminal.js';
import { type Declare, examples } from './project-command.js';

interface ConnectOptions {
  readonly project?: string;
  readonly hooks?: true;
  readonly print?: true;
  readonly remove?: true;
}

/** `connect`: the entry of this project in the settings of an agent. */
const connect: Declare = (command, { parts }) => {
  command
    .description(
      'Lets a coding agent use this project: writes an entry for "knowledge-store mcp" into the settings of the agent. What else they say stays.',
    )
    .addArgument(new Argument('<agent>', 'the agent').choices(Object.keys(AGENTS)))
    .option('-p, --project <directory>', 'the project; default: found from the working directory')
    .option('--hooks', 'also let Claude Code run session-start and session-end by itself')
    .option('--print', 'show what would be written, and write nothing')
    .option('--remove', 'remove the entry')
    .addHelpText(
      'after',
      examples('connect claude --hooks', 'connect vscode --print', 'connect codex --remove'),
    )
    .action(async (agent: Agent, options: ConnectOptions) => {
      const { directory, home, program, terminal } = parts;
      if (options.hooks && agent !== 'claude') throw new UsageError('--hooks is for claude alone.');
      const project = findProject({
        option: options.project,
        directory,
        home,
        findAppDir: await parts.findAppDir(),
      });
      if (!project.isDirectory) throw new Error('--project is not an existing directory.');
      const connection = { project: project.path, home, program };
      const files = [
        entryFile(agent, connection),
        ...(options.hooks ? [hooksFile(connection)] : []),
      ];
      for (const file of files) change(file, terminal, options);
      if (!options.remove && !options.print) terminal.err(`${AGENTS[agent].next}\n`);
    });
};

export const commands = { connect };

function change(file: EntryFile, terminal: Terminal, { print, remove }: ConnectOptions): void {
  const text = remove ? file.without() : file.with();
  if (print) {
    terminal.out(`${file.path}\n${text ?? '(nothing would change)'}\n`);
  } else if (text === undefined) {
    terminal.out(`${file.path} has no entry; nothing was changed.\n`);
  } else {
    file.write(text);
    terminal.out(`${file.path} ${remove ? 'no longer has' : 'now has'} the entry.\n`);
  }
}
