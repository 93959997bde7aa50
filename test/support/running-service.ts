import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServiceAtUrl } from './service-at-url.js';
import { tempDirectory } from './temp-project.js';

/** The checkout. Vitest's global setup has built its `dist`. */
export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** The package's executable. */
export const CLI = join(CHECKOUT, 'dist/cli.js');

interface CommandResult {
  readonly code: number | string | null | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs a command as a process of its own, without a terminal. By default it is offline. */
export function runCommand(
  words: readonly string[],
  cwd: string,
  environment: Environment = {},
): Promise<CommandResult> {
  return runProgram([process.execPath, CLI, ...words], cwd, environment);
}

/** Environment of a command that starts no service and does not touch the home of the user who runs the tests. */
export function commandEnvironment(): Environment {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['KNOWLEDGE_TEST_HOME'] ?? tmpdir(),
    KNOWLEDGE_SERVICE: 'off',
  };
}

/** Runs any program in the same way as `runCommand`. */
export function runProgram(
  [program = '', ...words]: readonly string[],
  cwd: string,
  environment: Environment = {},
): Promise<CommandResult> {
  const env = { ...commandEnvironment(), KNOWLEDGE_OFFLINE: '1', ...environment };
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err });
    });
    child.stdin?.end();
  });
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `node` runs the same program without npm around it, which is faster. */
type Launcher = 'node' | 'npm';

/** The service as its users see it: a process with an environment, two output streams and a port. */
export class ServiceProcess {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #home = mkdtempSync(join(tmpdir(), 'knowledge-home-'));
  #stdout = '';
  #stderr = '';
  #isRunning = true;

  constructor(environment: Environment, launcher: Launcher = 'node', checkout = CHECKOUT) {
    const [command, parameters] = COMMANDS[launcher];
    this.#child = spawn(command, parameters, {
      cwd: checkout,
      env: { PATH: process.env['PATH'], HOME: this.#home, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Creates a process group of its own, like a shell or a supervisor.
      detached: true,
    });
    this.#child.stdout?.on('data', (part: Buffer) => {
      this.#stdout += part;
    });
    this.#child.stderr?.on('data', (part: Buffer) => {
      this.#stderr += part;
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#isRunning = false;
        rmSync(this.#home, { recursive: true, force: true });
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  stdout(): string {
    return this.#stdout;
  }

  stderr(): string {
    return this.#stderr;
  }

  isRunning(): boolean {
    return this.#isRunning;
  }

  /** Signals the process only, not its group. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  kill(): Promise<Exit> {
    this.signal('SIGKILL');
    return this.exited;
  }

  /** Signals the process and its children, like a terminal. */
  signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The group has already ended.
    }
  }

  /**
   * Waits until the service is ready, and returns the address that it prints.
   * @throws Error if the process ends or prints nothing
   */
  async ready(): Promise<string> {
    const line = await eventually(() => {
      if (!this.#isRunning) throw new Gone(`It ended before it was ready: ${this.#stderr}`);
      return READY.exec(this.#stdout);
    });
    return line[1] as string;
  }

  async stop(): Promise<void> {
    this.signalGroup('SIGTERM');
    const timer = setTimeout(() => this.signalGroup('SIGKILL'), 12_000);
    await this.exited;
    clearTimeout(timer);
  }
}

/** A service that is ready, with the calls of a client. */
export class RunningService extends ServiceAtUrl {
  readonly process: ServiceProcess;

  constructor(url: string, process: ServiceProcess) {
    super(url);
    this.process = process;
  }

  stderr(): string {
    return this.process.stderr();
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

/**
 * Starts the service on a free port of this machine. Unless the environment or `asShipped` says otherwise, it has no
 * model, downloads none, and has no worker processes.
 */
export async function startService(
  environment: Environment = {},
  launcher: Launcher = 'node',
): Promise<RunningService> {
  const process = new ServiceProcess(
    { PORT: '0', ...OFFLINE, ...STORE, ...workers, ...environment },
    launcher,
  );
  try {
    return new RunningService(await process.ready(), process);
  } catch (error) {
    await process.stop();
    throw error;
  }
}

/**
 * Starts the services of a test file with worker processes, like a shipped service. Each costs a second of CPU time.
 */
export function asShipped(): void {
  workers = {};
}

let workers: Environment = { KNOWLEDGE_WORKERS: '0' };

/** Waits until a condition returns a value, and returns the value. These tests wait in no other way. */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { withinMs = 40_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs;
  for (let last: unknown; ; ) {
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>;
      last = value;
    } catch (error) {
      if (error instanceof Gone) throw error;
      last = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`It did not happen within ${withinMs} ms; last: ${String(last)}`, {
        cause: last,
      });
    }
    await pause(everyMs);
  }
}

/** A directory with the real weights, in the layout of `DATA_DIR`; undefined if they are missing. */
export function directoryOfRealModel(): string | undefined {
  const shared = join(CHECKOUT, '../shared');
  if (!existsSync(join(shared, 'models', MODEL, 'onnx/model_quantized.onnx'))) return undefined;
  const directory = tempDirectory('knowledge-data-');
  symlinkSync(join(shared, 'models'), join(directory, 'models'));
  return directory;
}

export const MODEL = 'Xenova/all-MiniLM-L6-v2';

class Gone extends Error {}

const READY = /^listening on (http:\/\/\S+) \((?:hybrid|search-only)\)$/m;

const OFFLINE: Environment = { DATA_DIR: join(tmpdir(), 'no-such-data'), KNOWLEDGE_OFFLINE: '1' };

/** The store of a service whose environment names none; see `rest-on-postgres.ts`. */
const STORE: Environment =
  process.env['KNOWLEDGE_TEST_STORE'] === undefined
    ? {}
    : { KNOWLEDGE_STORE: process.env['KNOWLEDGE_TEST_STORE'] };

const COMMANDS: Readonly<Record<Launcher, readonly [string, readonly string[]]>> = {
  node: [process.execPath, ['dist/main.js']],
  npm: ['npm', ['start']],
};
