import { Argument } from 'commander';
import { AGENTS, type Agent, entryFile } from '../agents.js';
import { findProject } from '../project-directory.js';
import { type Declare, examples } from './project-command.js';

interface ConnectOptions {
  readonly project?: string;
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
    .option('--print', 'show what would be written, and write nothing')
    .option('--remove', 'remove the entry')
    .addHelpText(
      'after',
      examples('connect claude', 'connect vscode --print', 'connect codex --remove'),
    )
    .action(async (agent: Agent, { project: option, print, remove }: ConnectOptions) => {
      const { directory, home, program, terminal } = parts;
      const project = findProject({
        option,
        directory,
        home,
        findAppDir: await parts.findAppDir(),
      });
      if (!project.isDirectory) throw new Error('--project is not an existing directory.');
      const file = entryFile(agent, { project: project.path, home, program });
      const text = remove ? file.without() : file.with();
      if (print) return terminal.out(`${file.path}\n${text ?? '(nothing would change)'}\n`);
      if (text === undefined)
        return terminal.out(`${file.path} has no entry; nothing was changed.\n`);
      file.write(text);
      terminal.out(`${file.path} ${remove ? 'no longer has' : 'now has'} the entry.\n`);
      if (!remove) terminal.err(`${AGENTS[agent].next}\n`);
    });
};

export const commands = { connect };
