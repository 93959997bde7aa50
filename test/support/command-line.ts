import type { Program } from '../../src/adapters/cli/agents.js';
import type { CommandLineParts } from '../../src/adapters/cli/command-line-parts.js';
import { runCommandLine } from '../../src/adapters/cli/commands/program.js';
import type { Terminal } from '../../src/adapters/cli/terminal.js';
import { appDirectories } from '../../src/adapters/files/app-directories.js';
import {
  isInitialized,
  nearestProject,
  ownProject,
} from '../../src/adapters/files/nearest-project.js';
import { worktreeText } from '../../src/adapters/files/worktree-text.js';
import { VARIABLES_HELP } from '../../src/app/config/fields.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { openOperations } from '../../src/process/operations.js';
import { removableUserData, userRecords } from '../../src/process/user-files.js';

interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CommandLineOptions {
  readonly directory: string;
  /** Home directory; default: the user's. */
  readonly home?: string;
  /** Default: a program that is not on the PATH. */
  readonly program?: Program;
  /** Environment variables for the entry that `connect` writes. */
  readonly serverEnv?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: Partial<Terminal>;
  /** Default: nothing is known. */
  readonly knownForPrompt?: CommandLineParts['knownForPrompt'];
}

/** Runs commands in this process: real commands and a real service, with a terminal that the test reads. */
export class CommandLine {
  readonly #options: CommandLineOptions;

  constructor(options: CommandLineOptions) {
    this.#options = options;
  }

  async run(...words: readonly string[]): Promise<CommandResult> {
    const written = { out: '', err: '' };
    const { directory, env = {} } = this.#options;
    const terminal = recordingTerminal(written, this.#options.terminal);
    const variables = {
      DATA_DIR: directory,
      KNOWLEDGE_OFFLINE: '1',
      KNOWLEDGE_SERVICE: 'off',
      ...env,
    };
    const appDirs = () => appDirectories(readConfig(variables).appDir);
    const code = await runCommandLine(words, {
      version: '1.2.3',
      terminal,
      directory,
      program: this.#options.program ?? {
        command: ['/bin/node', '/lib/cli.js'],
        isPortable: false,
      },
      env: this.#options.serverEnv ?? {},
      variables: async () => VARIABLES_HELP,
      appDirs: async () => appDirs(),
      projects: async () => ({
        nearest: (path) => nearestProject(path, appDirs(), this.#options.home),
        own: (path) => ownProject(path, appDirs(), this.#options.home),
        worktreeText: async (path) => worktreeText(path, appDirs(), this.#options.home),
        isInitialized: (path) => isInitialized(path, appDirs()),
      }),
      serve: async () => undefined,
      mcp: async () => undefined,
      userRecords: async () => userRecords(readConfig(variables)),
      userData: async ({ notes }) =>
        removableUserData({ config: readConfig(variables), appDirs: appDirs(), notes }),
      yaml: () => import('../../src/adapters/yaml/plain-yaml.js'),
      hookTime: () => AbortSignal.timeout(10_000),
      knownForPrompt: this.#options.knownForPrompt ?? (async () => ''),
      stopServices: async () => 0,
      open: async (open) => openOperations({ env: variables, err: terminal.err }, open),
    });
    return { code, ...written };
  }
}

function recordingTerminal(
  written: { out: string; err: string },
  changed: Partial<Terminal> = {},
): Terminal {
  return {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    columns: 80,
    colors: { out: false, err: false },
    showsProgress: false,
    isInteractive: false,
    confirm: async () => {
      throw new Error('Nobody is there to be asked.');
    },
    readInput: async () => '',
    ...changed,
  };
}
