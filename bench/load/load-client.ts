import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadOrder {
  readonly url: string;
  /** Posted in turn; without any, the URL is got. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** How long each connection rests after a response, 0 by default. */
  readonly everyMs?: number;
}

export interface LoadReport {
  /** In milliseconds. */
  readonly latencies: readonly number[];
  /** How many responses had each status; messages of errors count as statuses. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Makes requests from a process of its own, so that its work does not count as the server's. */
export class LoadClient {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./client.ts', import.meta.url)));

  /** One order at a time. */
  async run(order: LoadOrder): Promise<LoadReport> {
    this.#child.send(order);
    const [report] = await once(this.#child, 'message');
    return report as LoadReport;
  }

  stop(): void {
    this.#child.kill();
  }
}
