import type { Command } from 'commander';
import type { CommandLineParts } from '../command-line-parts.js';

/** `serve`: the service over HTTP. */
export function addServe(program: Command, { serve, terminal, variables }: CommandLineParts): void {
  program
    .command('serve')
    .summary('serve HTTP, for agents and programs')
    .description(
      'Serves HTTP until SIGTERM or SIGINT. Configured by environment variables alone, listed by --variables.',
    )
    .option('--variables', 'print the environment variables, and do not serve')
    .action(async (options: { readonly variables?: true }) => {
      if (options.variables) terminal.out(`${await variables()}\n`);
      else await serve();
    });
}
