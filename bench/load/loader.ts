import { Agent, request } from 'node:http';

/** Searches over some connections for some seconds, from a process of its own. Its only argument is a {@link LoadOrder}. */
const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
const report = {
  latencies: [] as number[],
  statuses: {} as Record<string, number>,
  withoutRetryAfter: 0,
};
const end = performance.now() + order.seconds * 1000;
let next = 0;

await Promise.all(Array.from({ length: order.connections }, work));
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);

export interface LoadOrder {
  readonly url: string;
  /** Searched in turn. */
  readonly projects: readonly string[];
  readonly queries: readonly string[];
  /** One request in a hundred is this one; it does not count in the latencies. */
  readonly bomb?: string;
  readonly connections: number;
  readonly seconds: number;
}

export type LoadReport = typeof report;

async function work(): Promise<void> {
  while (performance.now() < end) {
    const number = next;
    next += 1;
    const isBomb = order.bomb !== undefined && number % 100 === 99;
    const query = isBomb ? order.bomb : order.queries[number % order.queries.length];
    const begin = performance.now();
    await search({ projectPath: order.projects[number % order.projects.length], query });
    if (!isBomb) report.latencies.push(performance.now() - begin);
  }
}

function search(body: object): Promise<void> {
  return new Promise((resolve) => {
    const count = (status: string) => {
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      resolve();
    };
    const call = request(
      `${order.url}/api/knowledge/search`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        const isShed = response.statusCode === 503;
        if (isShed && response.headers['retry-after'] === undefined) report.withoutRetryAfter += 1;
        response.resume().on('end', () => count(String(response.statusCode)));
      },
    );
    call.on('error', (error) => count(error.message));
    call.end(JSON.stringify(body));
  });
}
