import { parseArgs } from 'node:util';
import { percentile } from '../quality/statistics.js';
import { type Row, runAsked } from '../runner.js';
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
const options = { chunks: Number(values.chunks), seconds: Number(values.seconds) };
process.stdout.write(`${options.chunks} chunks, ${options.seconds} s for each load\n`);
await runAsked(
  Object.fromEntries(
    Object.entries(LOADS).map(([name, load]) => [
      name,
      async () => (await load(options)).map((row) => rowOf(name, row)),
    ]),
  ),
  positionals,
);

function rowOf(loadName: string, row: LoadRow): Row {
  const name = `${loadName} ${row.load}`;
  for (const [gate, isHeld] of Object.entries(row.gates)) {
    process.stdout.write(`${name}: ${gate}: ${isHeld ? 'held' : 'MISSED'}\n`);
  }
  return { name, isGood: Object.values(row.gates).every(Boolean), cells: cellsOf(row) };
}

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
