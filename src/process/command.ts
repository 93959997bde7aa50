import { homedir } from 'node:os';
import { runCommandLine } from '../adapters/cli/program.js';
import { processTerminal } from '../adapters/cli/terminal.js';
import { withUserData } from './user-data.js';
import { version } from './version.js';

/**
 * Runs the command of this process. What a command does not need is not loaded: `--help` is to be quick.
 * @param script absolute path of the file that Node was started with
 */
export async function runCommand(script: string): Promise<void> {
  const terminal = processTerminal();
  const env = withUserData(process.env);
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    version,
    terminal,
    directory: process.cwd(),
    home: homedir(),
    program: [process.execPath, script],
    variables: async () => (await import('../app/config/fields.js')).VARIABLES_HELP,
    findAppDir: async () => (await import('./app-dir-finder.js')).appDirFinder(env),
    serve: async (changed) => (await import('./serve.js')).serve({ ...env, ...changed }),
    mcp: async (directory) => (await import('./mcp.js')).serveMcp(env, directory),
    open: async (options) =>
      (await import('./operations.js')).openOperations({ env, err: terminal.err }, options),
  });
}
