import { homedir } from 'node:os';
import { runCommandLine } from '../adapters/cli/program.js';
import { processTerminal } from '../adapters/cli/terminal.js';
import type { Environment } from '../app/config/read-config.js';
import type { AppDirectories } from '../ports/driven/app-directories.js';
import { withUserData } from './user-data.js';
import { version } from './version.js';

/**
 * Runs the command `knowledge-store` as it was typed. What it does not need is not loaded: `--help` is to be quick.
 * @param script absolute path of the file that Node was started with
 */
export function runCommand(script: string): Promise<void> {
  return run(process.argv.slice(2), script, withUserData(process.env));
}

/** Runs the command `serve` for `npm start`, which keeps models in `./data`. */
export function runService(script: string): Promise<void> {
  return run(['serve', ...process.argv.slice(2)], script, process.env);
}

async function run(words: readonly string[], script: string, env: Environment): Promise<void> {
  const terminal = processTerminal();
  process.exitCode = await runCommandLine(words, {
    version,
    terminal,
    directory: process.cwd(),
    home: homedir(),
    program: [process.execPath, script],
    variables: async () => (await import('../app/config/fields.js')).VARIABLES_HELP,
    appDirs: () => appDirsOf(env),
    serve: async (changed) => (await import('./serve.js')).serve({ ...env, ...changed }),
    mcp: async (directory) => (await import('./mcp.js')).serveMcp(env, directory),
    open: async (options) =>
      (await import('./operations.js')).openOperations({ env, err: terminal.err }, options),
  });
}

async function appDirsOf(env: Environment): Promise<AppDirectories> {
  const [{ appDirectories }, { readConfig }] = await Promise.all([
    import('../adapters/files/app-directories.js'),
    import('../app/config/read-config.js'),
  ]);
  return appDirectories(readConfig(env).appDir);
}
