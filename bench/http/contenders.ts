import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processesOf } from '../../test/support/processes.js';
import { CHECKOUT, type Environment, ServiceProcess } from '../../test/support/running-service.js';
import { tempDirectory } from '../../test/support/temp-project.js';

/** A built checkout to compare, and the environment to start it with. */
export interface Contender {
  readonly name: string;
  readonly checkout: string;
  readonly environment: Environment;
}

/** This checkout, and the commit or folder to compare it with, if any. A commit is built in a worktree of its own. */
export function contendersOf(against: string | undefined, environment: Environment) {
  const now: Contender = { name: 'now', checkout: CHECKOUT, environment };
  if (against === undefined) return { contenders: [now], removeBuilt: () => {} };
  if (existsSync(against)) {
    return {
      contenders: [{ ...now, name: 'older', checkout: resolve(against) }, now],
      removeBuilt: () => {},
    };
  }
  const checkout = join(tempDirectory('bench-older-'), 'checkout');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: CHECKOUT, stdio: 'pipe' });
  git('worktree', 'add', '--detach', checkout, against);
  symlinkSync(join(CHECKOUT, 'node_modules'), join(checkout, 'node_modules'));
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: checkout, stdio: 'inherit' });
  const removeBuilt = () => {
    rmSync(join(checkout, 'node_modules'));
    git('worktree', 'remove', '--force', checkout);
  };
  return { contenders: [{ ...now, name: against, checkout }, now], removeBuilt };
}

/** A running contender with its own project. */
export class RunningContender {
  readonly name: string;
  readonly url: string;
  readonly project: string;
  readonly #process: ServiceProcess;

  static async start(contender: Contender, project: string): Promise<RunningContender> {
    const { name, checkout, environment } = contender;
    mkdirSync(project, { recursive: true });
    const env = { ...ENVIRONMENT, DATA_DIR: join(project, 'no-models'), ...environment };
    const process = new ServiceProcess(env, 'node', checkout);
    return new RunningContender({ name, url: await process.ready(), project, process });
  }

  private constructor(parts: {
    readonly name: string;
    readonly url: string;
    readonly project: string;
    readonly process: ServiceProcess;
  }) {
    this.name = parts.name;
    this.url = parts.url;
    this.project = parts.project;
    this.#process = parts.process;
  }

  get searchUrl(): string {
    return `${this.url}/api/knowledge/search`;
  }

  bodyOf(query: string): string {
    return JSON.stringify({ projectPath: this.project, query, maxResults: 10 });
  }

  /** Indexes all files of the project for the first time. Returns the time and the number of chunks. */
  async index(): Promise<{ readonly seconds: number; readonly chunks: number }> {
    const begin = performance.now();
    const stats = JSON.parse(
      (await this.post('rebuild', { projectPath: this.project })).toString(),
    );
    const seconds = (performance.now() - begin) / 1000;
    return { seconds, chunks: (stats.stats ?? stats).totalChunks };
  }

  async post(route: string, body: object): Promise<Buffer> {
    const response = await fetch(`${this.url}/api/knowledge/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${this.name}: ${response.status} ${bytes}`);
    return bytes;
  }

  /**
   * Memory of the service and its child processes, in MB. `rss` counts shared pages once per process, `pss` once in
   * total.
   */
  memory(): { readonly processes: number; readonly rss: number; readonly pss: number } {
    const pids = processesOf(this.#process.pid);
    const rollups = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    const sum = (field: string) =>
      rollups.reduce(
        (kb, text) => kb + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1]),
        0,
      );
    return { processes: pids.length, rss: sum('Rss') / 1024, pss: sum('Pss') / 1024 };
  }

  /** CPU time of all these processes so far, in milliseconds, with a resolution of 10. */
  processorMs(): number {
    const ticks = processesOf(this.#process.pid).flatMap(ticksOf);
    return ticks.reduce((sum, count) => sum + count * 10, 0);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

const ENVIRONMENT: Environment = {
  PORT: '0',
  KNOWLEDGE_OFFLINE: '1',
  KNOWLEDGE_LOG_LEVEL: 'error',
  KNOWLEDGE_VARIANT: 'search-only',
};

/**
 * CPU ticks of a process, in user mode and in the kernel; see proc(5). Skips the program name, which may contain
 * spaces.
 */
function ticksOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
}
