#!/usr/bin/env node
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { processTerminal } from './adapters/cli/process-terminal.js';
import { runCommandLine } from './adapters/cli/run-command-line.js';

/** The command `knowledge-store`. What a command does not need is not loaded: `--help` is to be quick. */
const { version } = createRequire(import.meta.url)('../package.json') as {
  readonly version: string;
};
const terminal = processTerminal();
const { env } = process;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  version,
  terminal,
  directory: process.cwd(),
  variables: async () => (await import('./app/config/usage.js')).VARIABLES_HELP,
  home: homedir(),
  findAppDir: async () => (await import('./process/app-dir-finder.js')).appDirFinder(env),
  serve: async () => (await import('./process/serve.js')).serve(env),
  mcp: async (directory) => (await import('./process/mcp.js')).serveMcp(env, directory),
  open: async (options) =>
    (await import('./process/operations.js')).openOperations({ env, err: terminal.err }, options),
});
