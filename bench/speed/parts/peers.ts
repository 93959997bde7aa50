import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { p50p99, ratio } from '../measuring.js';
import type { Part, Table } from '../part.js';
import { PEERS } from '../peers/engines.js';
import type { PeerReport } from '../peers/one-peer.js';
import { largeProject, textsOf } from '../search/large-project.js';

/**
 * Other search engines on the same text. Each is built in a process of its own, to measure its memory, and queried in
 * turn with the product's keyword index.
 */
export const peers: Part = async ({ archive, cache, chunks, queries, only }) => {
  await largeProject(cache, await textsOf(archive, cache), chunks);
  const names = Object.keys(PEERS).filter((name) => only.length === 0 || only.includes(name));
  const reports: PeerReport[] = [];
  for (const name of names) {
    const file = fileURLToPath(new URL('../peers/one-peer.ts', import.meta.url));
    const args = [name, archive, cache, String(chunks), String(queries)];
    const flags = ['--expose-gc', '--max-old-space-size=8000', '--import', 'tsx'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, file, ...args], {
      maxBuffer: 1e9,
    });
    reports.push(JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as PeerReport);
  }
  return [cost(reports), ...reports.map(times)];
};

function cost(reports: readonly PeerReport[]): Table {
  const rows = reports.map(({ name, buildMs, megabytes }) => [
    name,
    (buildMs / 1000).toFixed(1),
    megabytes.toFixed(0),
  ]);
  const head = ['engine', 'build, processor s', 'memory, MB'];
  return { title: 'Other engines: what they cost', head, rows };
}

function times({ name, classes }: PeerReport): Table {
  const rows = classes.map(({ query, peer, search }) => [
    query,
    p50p99(search),
    peer.length === 0 ? 'not offered' : p50p99(peer),
    peer.length === 0 ? '' : ratio(peer, search),
  ]);
  const head = ['class', 'search, processor ms, p50 / p99', name, `${name} to search`];
  return { title: `${name}, 50 results`, head, rows };
}
