import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ComparedService, Contender } from './compared-service.js';
import { startOnCopy } from './prepare.js';

/**
 * The same searches over HTTP by an older checkout and by this one, in turn. Each service is a process of its
 * own with its own copy of the project.
 *
 *   npm run bench:against -- <older checkout> <project directory> <data directory with the model>
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    variants: { type: 'string', default: 'search-only,hybrid' },
  },
});
const [older, project, dataDir] = positionals;
if (older === undefined || project === undefined || dataDir === undefined) {
  process.stderr.write('usage: npm run bench:against -- <older checkout> <project> <data>\n');
  process.exit(2);
}
const SEARCHES_PER_ROUND = 100;
const CONNECTIONS = 10;
const HERE = resolve(import.meta.dirname, '../../..');
const titles = titlesOf(project);
let asked = 0;

for (const variant of values.variants.split(',')) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-'));
  const services: ComparedService[] = [];
  try {
    for (const contender of contenders(variant)) {
      services.push(await startOnCopy(contender, project, folder));
    }
    await warmUp(services);
    report(`${variant}, 1 connection`, await measure(services, inTurn));
    report(`${variant}, ${CONNECTIONS} connections`, await measure(services, inBlocks));
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function contenders(variant: string): readonly Contender[] {
  const environment = { KNOWLEDGE_VARIANT: variant, DATA_DIR: resolve(dataDir ?? '') };
  const threadless = { ...environment, KNOWLEDGE_THREADS: '0' };
  return [
    { name: 'older', checkout: resolve(older ?? ''), environment },
    { name: 'this', checkout: HERE, environment },
    { name: 'this, KNOWLEDGE_THREADS=0', checkout: HERE, environment: threadless },
  ];
}

async function warmUp(services: readonly ComparedService[]): Promise<void> {
  const figures = services.map(newFigures);
  for (let i = 0; i < 3; i += 1) {
    await inTurn(figures);
    await inBlocks(figures);
  }
}

interface Figures {
  readonly service: ComparedService;
  /** Of each search, in milliseconds. */
  readonly latencies: number[];
  /** How long the service was asked, in milliseconds. */
  elapsed: number;
  readonly modes: Set<string>;
}

function newFigures(service: ComparedService): Figures {
  return { service, latencies: [], elapsed: 0, modes: new Set() };
}

interface Result extends Figures {
  readonly cpuMs: number;
}

type Round = (figures: readonly Figures[]) => Promise<void>;

async function measure(services: readonly ComparedService[], round: Round): Promise<Result[]> {
  const before = services.map((service) => service.cpuMs());
  const figures = services.map(newFigures);
  for (let i = 0; i < Number(values.rounds); i += 1) await round(figures);
  return figures.map((one, i) => ({ ...one, cpuMs: one.service.cpuMs() - (before[i] ?? 0) }));
}

/** One connection: each search by all services, one after the other, beginning with another one each time. */
async function inTurn(figures: readonly Figures[]): Promise<void> {
  for (let i = 0; i < SEARCHES_PER_ROUND; i += 1) {
    const first = i % figures.length;
    const query = nextQuery();
    for (const one of [...figures.slice(first), ...figures.slice(0, first)]) {
      await timed(one, () => search(one, query));
    }
  }
}

/** Several connections: a block of searches by each service. */
async function inBlocks(figures: readonly Figures[]): Promise<void> {
  const queries = Array.from({ length: SEARCHES_PER_ROUND }, nextQuery);
  for (const one of figures) {
    const left = [...queries];
    const work = async () => {
      for (let query = left.pop(); query !== undefined; query = left.pop())
        await search(one, query);
    };
    await timed(one, () => Promise.all(Array.from({ length: CONNECTIONS }, work)));
  }
}

async function timed(figures: Figures, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await work();
  figures.elapsed += performance.now() - begin;
}

async function search({ service, latencies, modes }: Figures, query: string): Promise<void> {
  const begin = performance.now();
  modes.add(await service.search(query));
  latencies.push(performance.now() - begin);
}

function report(title: string, results: readonly Result[]): void {
  const rows = results.map(({ latencies, elapsed, cpuMs }) => {
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    const perSecond = (latencies.length / elapsed) * 1000;
    return { p50: at(0.5), p99: at(0.99), perSecond, cpu: cpuMs / latencies.length };
  });
  process.stdout.write(`\n${title}\n`);
  for (const [i, row] of rows.entries()) {
    const { service, modes } = results[i] ?? {};
    const ratio = (key: keyof typeof row) => ((row[key] ?? 0) / (rows[0]?.[key] ?? 1)).toFixed(2);
    process.stdout.write(
      `  ${service?.name.padEnd(26)} p50 ${row.p50.toFixed(2)} ms (${ratio('p50')}), ` +
        `p99 ${row.p99.toFixed(1)} (${ratio('p99')}), ${row.perSecond.toFixed(0)}/s (${ratio('perSecond')}), ` +
        `CPU ${row.cpu.toFixed(2)} ms (${ratio('cpu')}) ${[...(modes ?? [])].join(' ')}\n`,
    );
  }
}

/** A number makes each query a new one, whose vector nobody remembers. */
function nextQuery(): string {
  asked += 1;
  return `${titles[asked % titles.length]} ${asked}`;
}

function titlesOf(directory: string): readonly string[] {
  const features = join(directory, '.automaker/features');
  return readdirSync(features).map((name) => {
    const text = readFileSync(join(features, name, 'feature.json'), 'utf8');
    return String(JSON.parse(text).title);
  });
}
