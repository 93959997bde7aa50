import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Program } from '../adapters/cli/agents.js';
import type { CommandLineParts, ServedProject } from '../adapters/cli/command-line-parts.js';
import { isHook, runCommandLine } from '../adapters/cli/commands/program.js';
import type { ProjectLocator } from '../adapters/cli/project-directory.js';
import { processTerminal, type Terminal } from '../adapters/cli/terminal.js';
import type { Environment } from '../app/config/read-config.js';
import type { AppDirectories } from '../ports/project-directories.js';
import { withHomePaths, withUserData } from './user-data.js';
import { version } from './version.js';

/**
 * Runs the command `knowledge-store` as typed. Loads modules only when needed, because `--help` must be fast.
 * @param script absolute path of the file that started Node
 */
export function runCommand(script: string): Promise<void> {
  return run(process.argv.slice(2), script, withUserData(process.env));
}

/** Runs the command `serve` for `npm start`, which keeps models in `./data`. */
export function runService(script: string): Promise<void> {
  return run(['serve', ...process.argv.slice(2)], script, process.env);
}

async function run(
  words: readonly string[],
  script: string,
  environment: Environment,
): Promise<void> {
  const env = withHomePaths(environment);
  const terminal = processTerminal();
  const directory = workingDirectory();
  if (directory === undefined) return isHook(words) ? undefined : refuseMissingDirectory(terminal);
  process.exitCode = await runCommandLine(words, {
    version,
    terminal,
    directory,
    program: launchProgram(script),
    env: sharedVariables(withHomePaths(process.env)),
    variables: async () => (await import('../app/config/fields.js')).VARIABLES_HELP,
    appDirs: () => readAppDirs(env),
    projects: async () => projectFinder(await readAppDirs(env)),
    serve: async (changed) => (await import('./serve.js')).serve({ ...env, ...changed }),
    mcp: (project) => serveMcp(env, project),
    ...userFiles(env),
    yaml: () => import('../adapters/yaml/plain-yaml.js'),
    hookTime: () => AbortSignal.timeout(Math.max(1, Math.round(HOOK_MAX_MS - performance.now()))),
    knownForPrompt: async (prompt, signal) =>
      (await import('./local/prompt.js')).knownForPrompt(env, prompt, signal),
    stopServices: async () => (await import('./local/stop.js')).stopServices(env),
    open: async (options) =>
      (await import('./operations.js')).openOperations({ env, err: terminal.err }, options),
  });
}

function refuseMissingDirectory(terminal: Terminal): void {
  terminal.err('knowledge-store: The working directory does not exist; change to another one.\n');
  process.exitCode = 1;
}

/** The working directory; undefined if it was deleted. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** How long a prompt waits, from the start of the process: it must not wait longer than one second. */
const HOOK_MAX_MS = 900;

async function serveMcp(env: Environment, project: ServedProject): Promise<void> {
  const { bridgeMcp } = await import('./local/mcp-bridge.js');
  if (await bridgeMcp(env, project)) process.exit(0);
  await (await import('./mcp.js')).serveMcp(env, project);
}

function userFiles(env: Environment): Pick<CommandLineParts, 'userRecords' | 'userData'> {
  const load = () =>
    Promise.all([import('../app/config/read-config.js'), import('./user-files.js')]);
  return {
    userRecords: async () => {
      const [{ readConfig }, { userRecords }] = await load();
      return userRecords(readConfig(env));
    },
    userData: async ({ notes }) => {
      const [{ readConfig }, { removableUserData }] = await load();
      const appDirs = await readAppDirs(env);
      return removableUserData({ config: readConfig(env), appDirs, notes });
    },
  };
}

async function projectFinder(appDirs: AppDirectories): Promise<ProjectLocator> {
  const { isInitialized, nearestProject, ownProject } = await import(
    '../adapters/files/nearest-project.js'
  );
  return {
    nearest: (directory) => nearestProject(directory, appDirs),
    own: (directory) => ownProject(directory, appDirs),
    worktreeText: async (directory) =>
      (await import('../adapters/files/worktree-text.js')).worktreeText(directory, appDirs),
    isInitialized: (directory) => isInitialized(directory, appDirs),
  };
}

/**
 * Reads the configuration only if a variable names the application directory, because its schemas take long to load.
 */
async function readAppDirs(env: Environment): Promise<AppDirectories> {
  const { appDirectories } = await import('../adapters/files/app-directories.js');
  if (env['KNOWLEDGE_APP_DIR'] === undefined) return appDirectories();
  const { readConfig } = await import('../app/config/read-config.js');
  return appDirectories(readConfig(env).appDir);
}

/** How other programs start this one. The `PATH` of npx and npm scripts leads to a copy that they cannot find. */
function launchProgram(script: string): Program {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const isOnPath = folders.some(
    (folder) => !/node_modules|_npx/.test(folder) && hasCommand(folder),
  );
  return isOnPath
    ? { command: [COMMAND], isPortable: true }
    : { command: [process.execPath, script], isPortable: false };
}

const COMMAND = 'knowledge-store';

function hasCommand(folder: string): boolean {
  const file = process.platform === 'win32' ? `${COMMAND}.cmd` : COMMAND;
  try {
    accessSync(join(folder, file), constants.X_OK);
    return folder !== '';
  } catch {
    return false;
  }
}

/** Variables to be written to files for agents, which would not inherit them. Leaves out URLs with a password. */
function sharedVariables(env: Environment): Readonly<Record<string, string>> {
  const names = ['DATA_DIR', 'KNOWLEDGE_OFFLINE', 'KNOWLEDGE_MODEL_HOST'] as const;
  const set = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return Object.fromEntries(set.filter(([, value]) => !/\/\/[^/]*@/.test(value)));
}
