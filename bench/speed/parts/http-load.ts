import { Agent, request } from 'node:http';

/** Searches that a child process of the benchmark makes. */
export interface Load {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly requests: number;
}

process.on('message', async (load: Load) => {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const latencies: number[] = [];
  let next = 0;
  const begin = performance.now();
  const work = async () => {
    while (next < load.requests) {
      const body = load.bodies[next % load.bodies.length] ?? '';
      next += 1;
      const start = performance.now();
      await search(load.url, agent, body);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  agent.destroy();
  process.send?.({ latencies, seconds: (performance.now() - begin) / 1000 });
});

function search(url: string, agent: Agent, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/api/knowledge/search`,
      { method: 'POST', agent, headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered with ${response.statusCode}`));
        response.resume();
        response.on('end', resolve);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
