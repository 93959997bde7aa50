import { realpathSync } from 'node:fs';
import {
  AGENTS as SESSION_AGENTS,
  type Agent as SessionAgent,
} from '../../../domain/sessions/transcript.js';
import {
  AGENT_NAMES,
  AGENTS,
  type Agent,
  type Connection,
  entryFile,
  hooksFile,
  INSTRUCTION,
  instructionsFile,
} from '../agents.js';
import type { CommandLineParts, Fields } from '../command-line-parts.js';
import { UsageError } from '../exit.js';
import { projectOf } from '../project-directory.js';
import { applyEdit, type CreatedPaths, editedText, type SettingsFile } from '../settings-file.js';
import { counted } from '../text/format.js';
import type { PlainCommand } from './command.js';

export const connect: PlainCommand = {
  name: 'connect',
  summary: 'give a coding agent access to this project',
  description:
    'Lets a coding agent use this project: adds an entry for "knowledge-store mcp" to the agent\'s settings. Other entries stay.',
  arguments: [{ flags: '<agent>', field: 'agent', help: 'the agent', choices: AGENT_NAMES }],
  fields: ['projectPath'],
  options: [
    ['--hooks', 'also run session-start, session-prompt and session-end as hooks of Claude Code'],
    ['--instructions', 'also add one line to CLAUDE.md or AGENTS.md'],
    ['--sessions', 'also keep the conversations with the agent as files of the project'],
    ['--print', 'show the changes without writing them'],
    ['--remove', 'remove the entries; with --sessions, only stop keeping conversations'],
  ],
  examples: [
    'connect claude --hooks --sessions',
    'connect vscode --print',
    'connect codex --remove',
  ],
  run: async (parts, { projectPath, ...given }) => {
    const agent = given['agent'] as Agent;
    checkOptions(agent, given);
    const connection = { ...parts, project: await existingProject(parts, projectPath) };
    const edit = given['remove'] ? 'remove' : 'add';
    const files = filesToEdit(agent, connection, given);
    const { created } = await parts.userRecords();
    for (const file of files) {
      parts.terminal.out(
        given['print'] ? preview(file, edit, created) : change(file, edit, created),
      );
    }
    if (given['print']) return;
    if (given['sessions'] || edit === 'remove') await setConsent(parts, connection.project, given);
    if (edit === 'add') parts.terminal.err(nextSteps(agent, given, parts));
  },
};

function checkOptions(agent: Agent, { hooks, sessions }: Fields): void {
  if (hooks && agent !== 'claude') throw new UsageError('--hooks is for claude alone.');
  if (sessions && !isSessionAgent(agent)) {
    throw new UsageError('--sessions is for claude and codex alone.');
  }
}

/** Removal covers everything that an earlier call wrote. */
function filesToEdit(agent: Agent, connection: Connection, given: Fields): readonly SettingsFile[] {
  const { hooks, instructions, sessions, remove } = given;
  if (remove && sessions) return [];
  const optional = [
    ...(agent === 'claude' ? [{ file: hooksFile(connection), isWanted: hooks }] : []),
    { file: instructionsFile(agent, connection), isWanted: instructions },
  ];
  const isOurs = (file: SettingsFile) => editedText(file, 'remove') !== undefined;
  const chosen = optional.filter(({ file, isWanted }) => (remove ? isOurs(file) : isWanted));
  return [entryFile(agent, connection), ...chosen.map(({ file }) => file)];
}

function isSessionAgent(agent: Agent): agent is SessionAgent {
  return SESSION_AGENTS.some((name) => name === agent);
}

/** Records the consent to keep sessions, or withdraws it. The record has the real path of the project. */
async function setConsent(
  { terminal, userRecords }: CommandLineParts,
  project: string,
  { agent, remove }: Fields,
): Promise<void> {
  const { consents, endpoints } = await userRecords();
  const named = SESSION_AGENTS.find((name) => name === agent);
  if (named === undefined) return;
  const path = realpathSync(project);
  const isGranted = (await consents.list(path)).includes(named);
  if (remove) {
    if (!isGranted) return;
    await consents.withdraw(path, named);
    terminal.out('New conversations are no longer kept. The files of earlier ones stay.\n');
    return;
  }
  await consents.grant(path, named);
  const sent = endpoints.length === 0 ? '' : ` Their text is sent to ${endpoints.join(' and ')}.`;
  terminal.out(
    `Conversations with ${named} in this project are kept as files in its folder "sessions", readable by you alone and ignored by git.${sent}\n`,
  );
}

function nextSteps(agent: Agent, { instructions }: Fields, { program }: CommandLineParts): string {
  const { file, next } = AGENTS[agent];
  const commit = program.isPortable
    ? ''
    : `Do not commit ${file}: it contains paths of this machine. Install the command globally and run connect again for an entry that you can commit.\n`;
  const line = instructions
    ? ''
    : `Recommended line for the agent's instructions (--instructions adds it): "${INSTRUCTION}"\n`;
  return `${commit}${next}\nTry: "What does knowledge-store know about this project?"\n${line}`;
}

type Edit = 'add' | 'remove';

function preview(file: SettingsFile, edit: Edit, created: CreatedPaths): string {
  return `${file.path}\n${editedText(file, edit, created) ?? '(nothing would change)'}\n`;
}

function change(file: SettingsFile, edit: Edit, created: CreatedPaths): string {
  if (!applyEdit(file, edit, created)) {
    return `${file.path} ${edit === 'remove' ? 'has no' : 'already has the'} entry; nothing was changed.\n`;
  }
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
        ? // In a linked git worktree the server says so.
          projectOf({ ...parts, worktrees: 'separate' }, undefined).then(
            ({ path }) => path,
            () => parts.directory,
          )
        : existingProject(parts, projectPath);
    await parts.mcp({ directory: await project, isNamed: projectPath !== undefined });
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
    ['--variables', 'print the environment variables and exit'],
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

export const stop: PlainCommand = {
  name: 'stop',
  summary: 'stop the local service',
  description:
    'Stops your local services after finished writes. The next command that needs one starts it again.',
  run: async ({ terminal, stopServices }) => {
    const count = await stopServices();
    terminal.out(
      count === 0 ? 'No local service runs.\n' : `${counted(count, 'service')} ended.\n`,
    );
  },
};
