import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Something that the watch saw. */
export interface WatchEvent {
  readonly what: string;
  readonly at: number;
  /** How long it had gone on by then. */
  readonly ms?: number;
  readonly value?: string;
  /** Worth counting, and nothing wrong. */
  readonly isAllowed?: boolean;
}

export interface Watched {
  readonly url: string;
  readonly pid: number;
  readonly witness: string;
  readonly maxWorkerBytes: number;
}

/** Watches a service from another process while hostile projects are used. */
export class Watch {
  readonly #child: ChildProcess;
  readonly #events: WatchEvent[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (event: WatchEvent) => this.#events.push(event));
  }

  static async start({ url, pid, witness, maxWorkerBytes }: Watched): Promise<Watch> {
    const file = fileURLToPath(new URL('watch-process.ts', import.meta.url));
    const child = fork(file, [url, String(pid), witness, String(maxWorkerBytes)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (child.stdout !== null) await once(child.stdout, 'data');
    return new Watch(child);
  }

  /** Whether nothing was seen since the last call of `taken` that may be wrong. */
  get isCalm(): boolean {
    return this.#events.every(({ isAllowed }) => isAllowed);
  }

  /** What was seen since the last call. */
  taken(): readonly WatchEvent[] {
    return this.#events.splice(0);
  }

  stop(): void {
    this.#child.kill();
  }
}
