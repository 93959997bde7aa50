import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, commandEnvironment, type Environment } from '../../test/support/running-service.js';
import { TempProject, tempDirectory } from '../../test/support/temp-project.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

/** How a command ended. */
export interface CommandEnd {
  readonly words: readonly string[];
  /** Null if the command was killed because it took too long. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly tookMs: number;
}

/** A project and a user, with a home and a data folder of their own, whose commands use the local service. */
export class LocalWorld {
  readonly project: TempProject;
  readonly environment: Environment;
  readonly #user: number | undefined;

  /** @param user runs the commands; default: the user of this process */
  static async open(user?: number): Promise<LocalWorld> {
    return new LocalWorld(await tinyModelEnvironment(), user);
  }

  private constructor(model: Environment, user: number | undefined) {
    this.#user = user;
    this.project = new TempProject({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'docs/walrus.md': '## Walrus\n\nThe walrus swims.\n',
    });
    this.environment = {
      ...commandEnvironment(),
      ...model,
      HOME: tempDirectory('knowledge-home-'),
      KNOWLEDGE_OFFLINE: '1',
      KNOWLEDGE_SERVICE: 'on',
      KNOWLEDGE_SERVICE_IDLE_S: '60',
    };
    if (user !== undefined) for (const folder of this.#folders) giveTo(user, folder);
  }

  get #folders(): readonly string[] {
    const { HOME = '', DATA_DIR = '' } = this.environment;
    return [this.project.path, HOME, DATA_DIR];
  }

  /** The folder of the local service's sockets and pid files. */
  get serviceFolder(): string {
    return join(this.environment['DATA_DIR'] ?? '', 'service');
  }

  /** @param input written to the command's standard input */
  run(words: readonly string[], input = '', changed: Environment = {}): Promise<CommandEnd> {
    const begin = performance.now();
    const user = this.#user;
    const options = {
      cwd: this.project.path,
      env: { ...this.environment, ...changed },
      timeout: LONGEST_MS,
      ...(user !== undefined && { uid: user, gid: user }),
    };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [CLI, ...words], options, (_, out, err) => {
        const tookMs = performance.now() - begin;
        resolve({ words, code: child.exitCode, out, err, tookMs });
      });
      child.stdin?.on('error', () => undefined).end(input);
    });
  }

  /** The running supervisors, including those that no pid file names. Linux only. */
  supervisors(): readonly number[] {
    const data = `DATA_DIR=${this.environment['DATA_DIR']}`;
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const isOurs = (pid: string) =>
      textOf(`/proc/${pid}/cmdline`).includes('local-service.js') &&
      textOf(`/proc/${pid}/environ`).split('\0').includes(data);
    return pids.filter(isOurs).map(Number);
  }

  /** The files of all indexed notes. */
  async indexedNotes(): Promise<readonly string[]> {
    const { out } = await this.run(['sources', '--json']);
    const { sources }: { readonly sources: readonly { readonly sourceFile: string }[] } =
      JSON.parse(out);
    return sources.map(({ sourceFile }) => sourceFile).filter((file) => file.includes('/notes/'));
  }

  async close(): Promise<void> {
    await this.run(['stop']);
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** A command waits up to 15 seconds for other writers, and a busy machine is slow. */
const LONGEST_MS = 60_000;

export function giveTo(user: number, path: string): void {
  execFileSync('chown', ['-R', `${user}:${user}`, path]);
}

/** Reads a file of /proc; empty if the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Why a command ended badly: it hung, or failed without an error message. Undefined if it did not. */
export function unspoken({ words, code, err, tookMs }: CommandEnd): string | undefined {
  const ms = Math.round(tookMs);
  if (code === null) return `"${words.join(' ')}" was still there after ${ms} ms`;
  const isSaid = code === 0 || (code === 1 && /^knowledge-store: \S/m.test(err));
  return isSaid ? undefined : `"${words.join(' ')}" ended with ${code} and said "${err.trim()}"`;
}
