import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { toFtsMatch } from '../../src/domain/query/fts-match.js';
import { allWords, readQuery } from '../../src/domain/query/query.js';
import { median } from '../quality/statistics.js';
import { BARE } from '../speed/search/compare-searches.js';

/** A node:http server that sends the bytes recorded from the service for each request body, and does nothing else. */
export async function startPlain(recorded: ReadonlyMap<string, Buffer>) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = recorded.get(Buffer.concat(parts).toString()) ?? Buffer.alloc(0);
      const type = 'application/json; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
      response.end(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** How long the fastest FTS5 statement for the same 50 chunks takes: the median over the queries, in milliseconds. */
export function bareMs(project: string, queries: readonly string[]): number {
  const db = openDatabase(join(project, '.knowledge/knowledge.db'), { readonly: true });
  const statement = db.prepare(BARE);
  const times = queries.map((query) => {
    const match = matchOf(query);
    const rounds = Array.from({ length: ROUNDS }, () => {
      const begin = performance.now();
      statement.all(match, CANDIDATES);
      return performance.now() - begin;
    });
    return Math.min(...rounds);
  });
  db.close();
  return median(times);
}

const ROUNDS = 5;
const CANDIDATES = 50;

function matchOf(text: string): string {
  const query = readQuery(text);
  const expression = query.kind === 'structured' ? query.expression : allWords(query.words);
  return expression === undefined ? '""' : toFtsMatch(expression);
}
