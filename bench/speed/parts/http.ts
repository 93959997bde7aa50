import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { HttpServer } from '../../../dist/adapters/http/server/http-server.js';
import { readConfig } from '../../../dist/app/config/read-config.js';
import { createService } from '../../../dist/app/wiring/container.js';
import { QuietMonitor } from '../../../test/fakes/quiet-monitor.js';
import { median } from '../../quality/statistics.js';
import { ms, p50p99 } from '../measuring.js';
import type { Part, Table } from '../part.js';
import { BARE } from '../search/compare-searches.js';
import { APP_DIR, largeProject, textsOf } from '../search/large-project.js';
import { frequentWords } from '../search/query-classes.js';
import type { Load } from './http-load.js';

/**
 * The same searches for common words over HTTP, in rounds: node:http that returns the bytes which the service
 * returned, alone and after it has run the bare FTS5 statement, and the service, without threads and with 2 that
 * read. The client is another process.
 */
export const http: Part = async ({ archive, cache, chunks, queries }) => {
  const texts = await textsOf(archive, cache);
  const project = await largeProject(cache, texts, chunks);
  const words = frequentWords(
    texts.map(({ content }) => content),
    1,
  );
  const bodies = Array.from({ length: Math.min(queries, QUERIES_MAX) }, () =>
    bodyOf(project, words.pick(0.05, 0.3)),
  );
  const direct = await startService(0);
  const threaded = await startService(2);
  const recorded = await answers(direct.url, bodies);
  const servers = {
    'node:http, the same bytes': await startPlain(recorded),
    'node:http, the bare statement first': await startPlain(recorded, bareStatement(project)),
    'without threads': direct,
    'with 2 threads': threaded,
  };
  const client = fork(fileURLToPath(new URL('./http-load.ts', import.meta.url)));
  const tables = [
    await compare(client, servers, { bodies, connections: 1 }),
    await compare(client, servers, { bodies, connections: 10 }),
  ];
  client.kill();
  for (const { stop } of Object.values(servers)) await stop();
  return tables;
};

const QUERIES_MAX = 20;
const ROUNDS = 8;
/** Requests of each round per server. */
const REQUESTS = 200;

interface RunningServer {
  readonly url: string;
  stop(): Promise<unknown>;
}

interface Measured {
  readonly latencies: number[];
  readonly perSecond: number[];
  readonly processorMs: number[];
}

async function compare(
  client: ChildProcess,
  servers: Readonly<Record<string, RunningServer>>,
  { bodies, connections }: Pick<Load, 'bodies' | 'connections'>,
): Promise<Table> {
  const measured = new Map<string, Measured>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { url }] of Object.entries(servers)) {
      const begin = process.cpuUsage();
      const load = { url, bodies, connections, requests: REQUESTS };
      const { latencies, seconds } = await loaded(client, load);
      const { user, system } = process.cpuUsage(begin);
      if (round === 0) continue; // Warms up.
      const of = measured.get(name) ?? { latencies: [], perSecond: [], processorMs: [] };
      measured.set(name, of);
      of.latencies.push(...latencies);
      of.perSecond.push(REQUESTS / seconds);
      of.processorMs.push((user + system) / 1000 / REQUESTS);
    }
  }
  const [bytes, bare] = [...measured.values()];
  const rows = [...measured].map(([name, { latencies, perSecond, processorMs }]) => [
    name,
    p50p99(latencies),
    median(perSecond).toFixed(0),
    ms(median(processorMs)),
    (median(latencies) / median(bytes?.latencies ?? [])).toFixed(2),
    (median(latencies) / median(bare?.latencies ?? [])).toFixed(2),
  ]);
  const head = [
    'server',
    'ms, p50 / p99',
    'requests/s',
    'processor ms per request',
    'p50 to the first',
    'p50 to the second',
  ];
  return { title: `HTTP, ${connections} connections, common words, 10 results`, head, rows };
}

async function loaded(client: ChildProcess, load: Load): Promise<Loaded> {
  client.send(load);
  const [result] = await once(client, 'message');
  return result as Loaded;
}

interface Loaded {
  readonly latencies: readonly number[];
  readonly seconds: number;
}

async function startService(threads: number): Promise<RunningServer> {
  const service = createService(
    readConfig({
      KNOWLEDGE_VARIANT: 'search-only',
      KNOWLEDGE_THREADS: String(threads),
      KNOWLEDGE_LOG_LEVEL: 'error',
    }),
  );
  const monitor = new QuietMonitor();
  const server = new HttpServer({
    ...service,
    host: '127.0.0.1',
    port: 0,
    variant: 'bench',
    monitor,
  });
  const url = await server.listen();
  return { url, stop: () => server.close().then(() => service.stop()) };
}

async function answers(
  url: string,
  bodies: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/knowledge/search`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(`A search was answered with ${response.status}.`);
    found.set(body, Buffer.from(await response.arrayBuffer()));
  }
  return found;
}

/** What the fastest statement that finds the same chunks takes. */
function bareStatement(project: string): (body: string) => unknown {
  const db = new Database(join(project, APP_DIR, 'knowledge.db'), { readonly: true });
  const statement = db.prepare(BARE);
  return (body) => statement.all((JSON.parse(body) as { readonly query: string }).query, 50);
}

function bodyOf(project: string, query: string): string {
  return JSON.stringify({ projectPath: project, query, maxResults: 10 });
}

async function startPlain(
  recorded: ReadonlyMap<string, Buffer>,
  work: (body: string) => unknown = () => undefined,
): Promise<RunningServer> {
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      work(body);
      const bytes = recorded.get(body) ?? Buffer.alloc(0);
      const type = 'application/json; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
      response.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
