import { AGENTS, type Agent, entryFile, hooksFile } from '../agents.js';
import type { CommandLineParts } from '../command-line-parts.js';
import { UsageError } from '../exit.js';
import { projectOf } from '../project-directory.js';
import { editedText, type SettingsFile, writeSettings } from '../settings-file.js';
import type { PlainCommand } from './command.js';

export const connect: PlainCommand = {
  name: 'connect',
  summary: 'give a coding agent access to this project',
  description:
    'Lets a coding agent use this project: writes an entry for "knowledge-store mcp" into the settings of the agent. What else they say stays.',
  arguments: [
    { flags: '<agent>', field: 'agent', help: 'the agent', choices: Object.keys(AGENTS) },
  ],
  fields: ['projectPath'],
  options: [
    ['--hooks', 'also run session-start and session-end as hooks of Claude Code'],
    ['--print', 'show what would be written, and write nothing'],
    ['--remove', 'remove the entry, and the hooks'],
  ],
  examples: ['connect claude --hooks', 'connect vscode --print', 'connect codex --remove'],
  run: async (parts, { projectPath, hooks, print, remove, ...given }) => {
    const agent = given['agent'] as Agent;
    if (hooks && agent !== 'claude') throw new UsageError('--hooks is for claude alone.');
    const connection = { ...parts, project: await existingProject(parts, projectPath) };
    const edit = remove ? 'remove' : 'add';
    const ours = hooksFile(connection);
    const hasHooks =
      hooks || (remove && agent === 'claude' && editedText(ours, 'remove') !== undefined);
    const files = [entryFile(agent, connection), ...(hasHooks ? [ours] : [])];
    for (const file of files) {
      parts.terminal.out(print ? preview(file, edit) : change(file, edit));
    }
    if (!remove && !print) parts.terminal.err(nextSteps(agent, parts));
  },
};

function nextSteps(agent: Agent, { program }: CommandLineParts): string {
  const { file, next } = AGENTS[agent];
  const commit = program.isPortable
    ? ''
    : `Do not commit ${file}: it has paths of this machine. With knowledge-store on the PATH it would name the command alone.\n`;
  return `${commit}${next}\nTry: "What does knowledge-store know about this project?"\nFor the instructions of the agent: ${INSTRUCTION}\n`;
}

const INSTRUCTION =
  '"Before a task, call lessons of knowledge-store; when you have learned something, call save_note."';

type Edit = 'add' | 'remove';

function preview(file: SettingsFile, edit: Edit): string {
  return `${file.path}\n${editedText(file, edit) ?? '(nothing would change)'}\n`;
}

function change(file: SettingsFile, edit: Edit): string {
  const text = editedText(file, edit);
  if (text === undefined) {
    return `${file.path} ${edit === 'remove' ? 'has no' : 'already has the'} entry; nothing was changed.\n`;
  }
  writeSettings(file, text);
  return `${file.path} ${edit === 'remove' ? 'no longer has' : 'now has'} the entry.\n`;
}

export const mcp: PlainCommand = {
  name: 'mcp',
  summary: 'serve MCP to an agent',
  description:
    'Serves MCP on standard input and output until the agent ends. Agents start it themselves once "knowledge-store connect" has added it to their settings.',
  fields: ['projectPath'],
  run: async (parts, { projectPath }) => {
    // Some agents start servers in the root directory or in the home directory; their calls name the project.
    const project =
      projectPath === undefined
        ? projectOf(parts, undefined).then(
            ({ path }) => path,
            () => parts.directory,
          )
        : existingProject(parts, projectPath);
    await parts.mcp(await project);
  },
};

async function existingProject(parts: CommandLineParts, option: unknown): Promise<string> {
  const { path, isDirectory } = await projectOf(parts, option);
  if (isDirectory) return path;
  throw new Error('--project is not an existing directory.');
}

export const serve: PlainCommand = {
  name: 'serve',
  summary: 'serve HTTP',
  description:
    'Serves HTTP until SIGTERM or SIGINT. Configured by environment variables, which --variables lists.',
  options: [
    ['--port <number>', 'where to listen; 0 picks a free port (default: PORT, 3737)'],
    ['--host <address>', 'where to listen (default: HOST, 127.0.0.1)'],
    ['--variables', 'print the environment variables, and do not serve'],
  ],
  run: async ({ terminal, variables, serve: listen }, { port, host, variables: lists }) => {
    if (lists) return terminal.out(`${await variables()}\n`);
    await listen({
      ...(port !== undefined && { PORT: checkedPort(String(port)) }),
      ...(host !== undefined && { HOST: String(host) }),
    });
  },
};

function checkedPort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new UsageError('--port must be a whole number from 0 to 65535.');
}
