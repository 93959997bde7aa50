import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './measuring.js';
import type { Part, PartOptions } from './part.js';

const HELP = `Measures how long things take, part by part.

npm run bench -- <part> … --archive <archive of markdown files, .tar.gz> [options]

parts
  search     the keyword index next to the bare FTS5 statement and the naive join, class by class
  hybrid     searches of the service: keywords alone, rrf, blend, union, and the same question again
  ingest     first ingest next to the plain trigger path; again, unchanged and with some changes
  peers      MiniSearch and the statement of qmd on the same text
  adoption   a database of another program with vectors, by the first opening and by itself
  embedding  texts embedded in a second, by 1, 2, … threads of each runtime; needs --data

options
  --chunks 10000     of the project, which is made once
  --queries 40       per class
  --only a,b         some of what a part measures, such as the peers
  --data <folder>    contains the embedding model in its folder models
  --cache <folder>   where projects are kept (default: knowledge-store-bench in the temporary folder)
  --help             this text

Prints tables in markdown, and writes them to bench/results/speed/<part>.json.
`;

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  search: async () => (await import('./parts/search.js')).search,
  hybrid: async () => (await import('./parts/hybrid.js')).hybrid,
  ingest: async () => (await import('./parts/ingest.js')).ingest,
  peers: async () => (await import('./parts/peers.js')).peers,
  adoption: async () => (await import('./parts/adoption.js')).adoption,
  embedding: async () => (await import('./parts/embedding.js')).embedding,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    archive: { type: 'string' },
    chunks: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'knowledge-store-bench') },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (values.help || values.archive === undefined || positionals.length === 0 || unknown) {
  process.stderr.write(unknown === undefined ? HELP : `There is no part "${unknown}".\n`);
  process.exit(values.help ? 0 : 2);
}
const options: PartOptions = {
  archive: values.archive,
  chunks: Number(values.chunks),
  queries: Number(values.queries),
  only: values.only.split(',').filter((word) => word !== ''),
  dataDir: values.data,
  cache: values.cache,
};
for (const name of positionals) await measure(name);

async function measure(name: string): Promise<void> {
  const begin = performance.now();
  const part = await PARTS[name]?.();
  const tables = (await part?.(options)) ?? [];
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
  const seconds = Math.round((performance.now() - begin) / 1000);
  const load = loadavg().map((value) => Number(value.toFixed(1)));
  const folder = 'bench/results/speed';
  mkdirSync(folder, { recursive: true });
  const result = { part: name, ...options, machine, load, seconds, tables };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
  const { chunks, queries } = options;
  const lines = tables.map(({ title, head, rows }) => `${title}\n\n${markdownTable(head, rows)}\n`);
  process.stdout.write(
    `## ${name}: ${chunks} chunks, ${queries} queries per class; ${machine}; ` +
      `load average ${load.join(' ')}; ${seconds} s\n\n${lines.join('\n')}\n`,
  );
}
