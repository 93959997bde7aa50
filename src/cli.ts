#!/usr/bin/env node
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './adapters/cli/program.js';
import { processTerminal } from './adapters/cli/terminal.js';
import { withUserData } from './process/user-data.js';

/** The command `knowledge-store`. What a command does not need is not loaded: `--help` is to be quick. */
const { version } = createRequire(import.meta.url)('../package.json') as {
  readonly version: string;
};
const terminal = processTerminal();
const env = withUserData(process.env);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  version,
  terminal,
  directory: process.cwd(),
  home: homedir(),
  program: [process.execPath, fileURLToPath(import.meta.url)],
  variables: async () => (await import('./app/config/usage.js')).VARIABLES_HELP,
  findAppDir: async () => (await import('./process/app-dir-finder.js')).appDirFinder(env),
  serve: async (changed) => (await import('./process/serve.js')).serve({ ...env, ...changed }),
  mcp: async (directory) => (await import('./process/mcp.js')).serveMcp(env, directory),
  open: async (options) =>
    (await import('./process/operations.js')).openOperations({ env, err: terminal.err }, options),
});
