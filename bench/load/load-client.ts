import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadOrder {
  readonly url: string;
  /** Bodies to POST in turn; if empty, sends GET requests. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** How long each connection rests after a response; default 0. */
  readonly everyMs?: number;
}

export interface LoadReport {
  /** In milliseconds. */
  readonly latencies: readonly number[];
  /** Number of responses by status. Error messages count as statuses. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Sends requests from a separate process, so that their cost does not count as the server's. */
export class LoadClient {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./client.ts', import.meta.url)));

  /** Carries out an order. Only one may run at a time. */
  async run(order: LoadOrder): Promise<LoadReport> {
    this.#child.send(order);
    const [report] = await once(this.#child, 'message');
    return report as LoadReport;
  }

  stop(): void {
    this.#child.kill();
  }
}

interface Polled<T> {
  readonly result: T;
  readonly health: Pick<LoadReport, 'latencies' | 'statuses'>;
}

/** Runs some work while polling the `/health` of a service every 5 ms. */
export async function whilePolled<T>(
  poller: LoadClient,
  { url }: { readonly url: string },
  work: () => Promise<T>,
): Promise<Polled<T>> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const order = { url: `${url}/health`, bodies: [], connections: 1, seconds: 0.5, everyMs: 5 };
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const polling = (async () => {
    while (!isOver) {
      const report = await poller.run(order);
      latencies.push(...report.latencies);
      for (const [status, count] of Object.entries(report.statuses))
        statuses[status] = (statuses[status] ?? 0) + count;
    }
  })();
  const [result] = await Promise.all([working, polling]);
  return { result, health: { latencies, statuses } };
}
