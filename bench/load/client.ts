import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadOrder, LoadReport } from './load-client.js';

/** The child process of {@link LoadClient}. Carries out one order at a time. */
process.on('message', async (order: LoadOrder) => process.send?.(await load(order)));

async function load(order: LoadOrder): Promise<LoadReport> {
  const { bodies, connections, seconds, everyMs = 0 } = order;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const report = { latencies: [] as number[], statuses: {} as Record<string, number> };
  let next = 0;
  const begin = performance.now();
  const work = async () => {
    while (performance.now() < begin + seconds * 1000) {
      const body = bodies[next % bodies.length];
      next += 1;
      const start = performance.now();
      const status = await ask(order, agent, body);
      report.latencies.push(performance.now() - start);
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      if (everyMs > 0) await pause(everyMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { ...report, seconds: (performance.now() - begin) / 1000 };
}

/** Returns the status of the response, or the error message if there is none. */
function ask({ url }: LoadOrder, agent: Agent, body: string | undefined): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const call = request(url, { method, agent, headers }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    });
    call.on('error', ({ message }) => resolve(message));
    call.end(body);
  });
}
