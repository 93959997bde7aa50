import { parseArgs } from 'node:util';
import { percentile } from '../quality/statistics.js';
import { LOADS, type LoadRow } from './loads.js';

/**
 * Load on the real service over loopback; see bench/README.md.
 *
 *   npm run test:load -- [L1 … L6] [--chunks N] [--seconds N]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
  },
});
const unknown = positionals.filter((name) => LOADS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown: ${unknown.join(', ')}. There are: ${Object.keys(LOADS).join(', ')}.\n`,
  );
  process.exit(2);
}
const options = { chunks: Number(values.chunks), seconds: Number(values.seconds) };
process.stdout.write(`${options.chunks} chunks, ${options.seconds} s for each load\n`);
const table: Record<string, object> = {};
let missed = 0;
for (const [name, load] of Object.entries(LOADS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const row of await load(options)) {
    table[`${name} ${row.load}`] = cellsOf(row);
    for (const [gate, isHeld] of Object.entries(row.gates)) {
      process.stdout.write(`${name} ${row.load}: ${gate}: ${isHeld ? 'held' : 'MISSED'}\n`);
      if (!isHeld) missed += 1;
    }
  }
}
console.table(table);
process.exitCode = missed === 0 ? 0 : 1;

function cellsOf({ report, seconds, loopDelayMs, gates }: LoadRow): object {
  const ms = (value: number) => Math.round(value * 10) / 10;
  const others = Object.entries(report?.statuses ?? {}).filter(([status]) => status !== '200');
  return {
    ...(report && {
      'req/s': Math.round(report.latencies.length / seconds),
      p50: ms(percentile(report.latencies, 0.5)),
      p99: ms(percentile(report.latencies, 0.99)),
      'not 200': others.map(([status, count]) => `${count} x ${status}`).join(', ') || 0,
    }),
    seconds: ms(seconds),
    ...(loopDelayMs !== undefined && { 'loop p99': ms(loopDelayMs) }),
    missed: Object.values(gates).filter((isHeld) => !isHeld).length,
  };
}
