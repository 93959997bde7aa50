import { formatCount } from '../../../domain/figures.js';
import type { CommandLineParts } from '../command-line-parts.js';
import { UsageError } from '../exit.js';
import { findProject } from '../project-directory.js';
import type { PlainCommand } from './command.js';

export const mcp: PlainCommand = {
  name: 'mcp',
  summary: 'serve MCP to an agent',
  description:
    'Serves MCP on standard input and output until the agent exits. Agents start it themselves once "knowledge-store connect" has added it to their settings.',
  fields: ['projectPath'],
  run: async (parts, { projectPath }) => {
    const isNamed = projectPath !== undefined;
    const directory = isNamed
      ? (await findProject(parts, projectPath)).path
      : await workingProject(parts);
    await parts.mcp({ directory, isNamed });
  },
};

/**
 * Returns the project of the working directory. Falls back to that directory itself, because some agents start servers
 * in the root or home directory and name the project in each call. The server itself reports a linked git worktree.
 */
async function workingProject(parts: CommandLineParts): Promise<string> {
  try {
    return (await findProject({ ...parts, worktrees: 'separate' }, undefined)).path;
  } catch {
    return parts.directory;
  }
}

export const serve: PlainCommand = {
  name: 'serve',
  summary: 'serve HTTP',
  description:
    'Serves HTTP until SIGTERM or SIGINT. Configured by environment variables, which --variables lists.',
  options: [
    ['--port <number>', 'the port to listen on; 0 picks a free port (default: PORT, or 3737)'],
    ['--host <address>', 'the address to listen on (default: HOST, or 127.0.0.1)'],
    ['--variables', 'print the environment variables and exit'],
  ],
  run: async ({ terminal, variables, serve: listen }, { port, host, variables: lists }) => {
    if (lists) return terminal.out(`${await variables()}\n`);
    await listen({
      ...(port !== undefined && { PORT: checkPort(String(port)) }),
      ...(host !== undefined && { HOST: String(host) }),
    });
  },
};

function checkPort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new UsageError('--port must be a whole number from 0 to 65535.');
}

export const stop: PlainCommand = {
  name: 'stop',
  summary: 'stop the local service',
  description:
    'Stops your local services once their writes are finished. The next command that needs one starts it again.',
  run: async ({ terminal, stopServices }) => {
    const count = await stopServices();
    terminal.out(
      count === 0
        ? 'No local service is running.\n'
        : `${formatCount(count, 'service')} stopped.\n`,
    );
  },
};
