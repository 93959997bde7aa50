import type { Command } from 'commander';
import { findProject } from '../project-directory.js';
import type { CommandContext } from './command-context.js';

/** `serve`: the service over HTTP. */
export function declareServe(command: Command, { parts }: CommandContext): void {
  const { serve, terminal, variables } = parts;
  command
    .description(
      'Serves HTTP until SIGTERM or SIGINT. Configured by environment variables alone, listed by --variables.',
    )
    .option('--variables', 'print the environment variables, and do not serve')
    .action(async (options: { readonly variables?: true }) => {
      if (options.variables) terminal.out(`${await variables()}\n`);
      else await serve();
    });
}

/** `mcp`: the service for an agent, on standard input and output. */
export function declareMcp(command: Command, { parts }: CommandContext): void {
  const { mcp, directory, home } = parts;
  command
    .description(
      'Serves MCP on standard input and output until the agent ends. An agent starts it by itself: docs/mcp.md has the settings of common agents.',
    )
    .option('--project <directory>', 'the project of calls that name none')
    .action(async ({ project: option }: { readonly project?: string }) => {
      const findAppDir = await parts.findAppDir();
      await mcp(findProject({ option, directory, home, findAppDir }).path);
    });
}
