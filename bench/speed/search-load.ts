import { Agent, request } from 'node:http';

/** A child process that searches over `connections` connections for `seconds` and reports its latencies. */
const [url = '', body = '', connections = '10', seconds = '15', seed = '0'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const latencies: number[] = [];
const modes = new Map<string, number>();
const end = performance.now() + Number(seconds) * 1000;
let next = Number(seed);

await Promise.all(Array.from({ length: Number(connections) }, work));
process.stdout.write(`${JSON.stringify({ latencies, modes: Object.fromEntries(modes) })}\n`);
process.exit(0);

async function work(): Promise<void> {
  const { projectPath, queries } = JSON.parse(body) as {
    readonly projectPath: string;
    readonly queries: readonly string[];
  };
  while (performance.now() < end) {
    const number = next;
    next += 1;
    const query = `${queries[number % queries.length]} ${number}`;
    const begin = performance.now();
    const mode = await search({ projectPath, query });
    latencies.push(performance.now() - begin);
    modes.set(mode, (modes.get(mode) ?? 0) + 1);
  }
}

function search(content: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/api/knowledge/search`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (part: Buffer) => {
          text += part.toString();
        });
        response.on('end', () => {
          resolve(
            response.statusCode === 200
              ? JSON.parse(text).retrieval_mode
              : `${response.statusCode}`,
          );
        });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(content));
  });
}
