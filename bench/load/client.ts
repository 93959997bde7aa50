import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadOrder, LoadReport } from './load-client.js';

/** The child process of {@link LoadClient}: makes the requests of one order at a time. */
process.on('message', async (order: LoadOrder) => process.send?.(await load(order)));

async function load(order: LoadOrder): Promise<LoadReport> {
  const { bodies, bomb, connections, seconds, everyMs = 0 } = order;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const report = { latencies: [] as number[], statuses: {} as Record<string, number> };
  let [next, withoutRetryAfter] = [0, 0];
  const begin = performance.now();
  const work = async () => {
    while (performance.now() < begin + seconds * 1000) {
      const number = next;
      next += 1;
      const isBomb = bomb !== undefined && number % 100 === 99;
      const start = performance.now();
      const answer = await ask(order, agent, isBomb ? bomb : bodies[number % bodies.length]);
      if (!isBomb) report.latencies.push(performance.now() - start);
      report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
      if (answer.status === '503' && !answer.mayRetry) withoutRetryAfter += 1;
      if (everyMs > 0) await pause(everyMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { ...report, withoutRetryAfter, seconds: (performance.now() - begin) / 1000 };
}

interface Answer {
  /** The message of the error where there was no response. */
  readonly status: string;
  readonly mayRetry: boolean;
}

function ask({ url }: LoadOrder, agent: Agent, body: string | undefined): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const call = request(url, { method, agent, headers }, (response) => {
      const status = String(response.statusCode);
      const mayRetry = response.headers['retry-after'] !== undefined;
      response.resume().on('end', () => resolve({ status, mayRetry }));
    });
    call.on('error', ({ message }) => resolve({ status: message, mayRetry: false }));
    call.end(body);
  });
}
