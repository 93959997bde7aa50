import { InvalidArgumentError } from 'commander';
import { findProject } from '../project-directory.js';
import type { Declare } from './project-command.js';

interface ServeOptions {
  readonly variables?: true;
  readonly port?: string;
  readonly host?: string;
}

/** `serve`: the service over HTTP. */
const serve: Declare = (command, { parts }) => {
  command
    .description(
      'Serves HTTP until SIGTERM or SIGINT. Configured by environment variables, which --variables lists.',
    )
    .option('--port <number>', 'where to listen; 0 picks a free port (default: PORT, 3737)', port)
    .option('--host <address>', 'where to listen (default: HOST, 127.0.0.1)')
    .option('--variables', 'print the environment variables, and do not serve')
    .action(async (options: ServeOptions) => {
      if (options.variables) parts.terminal.out(`${await parts.variables()}\n`);
      else await parts.serve(variablesOf(options));
    });
};

/** `mcp`: the service for an agent, on standard input and output. */
const mcp: Declare = (command, { parts }) => {
  command
    .description(
      'Serves MCP on standard input and output until the agent ends. An agent starts it by itself: "knowledge-store connect" tells it how.',
    )
    .option('-p, --project <directory>', 'the project of calls that name none')
    .action(async ({ project: option }: { readonly project?: string }) => {
      const { directory, home } = parts;
      const search = { option, directory, home, findAppDir: await parts.findAppDir() };
      await parts.mcp(option === undefined ? startOf(search) : existing(search));
    });
};

export const commands = { serve, mcp };

function variablesOf({ port: PORT, host: HOST }: ServeOptions) {
  return { ...(PORT !== undefined && { PORT }), ...(HOST !== undefined && { HOST }) };
}

function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535');
}

/** Some agents start servers in the root directory or in the home directory; their calls name the project. */
function startOf(search: Parameters<typeof findProject>[0]): string {
  try {
    return findProject(search).path;
  } catch {
    return search.directory;
  }
}

/** @throws Error where `--project` names no directory */
function existing(search: Parameters<typeof findProject>[0]): string {
  const { path, isDirectory } = findProject(search);
  if (isDirectory) return path;
  throw new Error('--project is not an existing directory.');
}
