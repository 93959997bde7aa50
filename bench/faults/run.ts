import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { hasServerPrograms } from '../../test/support/postgres-under-test.js';
import { type Row, runAsked } from '../runner.js';
import { everyCommand } from './every-command.js';
import type { FaultFamily } from './family.js';
import { killed } from './killed.js';
import { killedAdoption } from './killed-adoption.js';
import { killedLocalService } from './killed-local-service.js';
import { killedWorkers } from './killed-workers.js';
import { limitedFiles } from './limited-files.js';
import { notesAtOnce } from './notes-at-once.js';
import { oddDatabases } from './odd-databases.js';
import { oddSockets } from './odd-sockets.js';
import { postgresFailover } from './postgres-failover.js';
import { postgresGone } from './postgres-gone.js';
import { postgresStops } from './postgres-stops.js';
import { Random } from './random.js';
import { replacedFiles } from './replaced-files.js';
import { severalProcesses } from './several-processes.js';

/**
 * Fault injection into the real service; see bench/README.md.
 *
 *   npm run test:faults -- [family …] [--rounds N] [--seconds N] [--processes N] [--size N] [--seed S]
 *
 * P1, P4 and P5 need KNOWLEDGE_TEST_POSTGRES_BIN, the folder that `scripts/get-postgres.sh` prints; `npm run
 * faults:postgres` sets it.
 */
const FAMILIES: readonly FaultFamily[] = [
  killed,
  severalProcesses,
  limitedFiles,
  oddDatabases,
  killedAdoption,
  replacedFiles,
  killedWorkers,
  notesAtOnce,
  killedLocalService,
  oddSockets,
  everyCommand,
  ...(hasServerPrograms ? [postgresStops, postgresGone, postgresFailover] : []),
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    processes: { type: 'string', default: '3' },
    size: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
process.stdout.write(`seed ${values.seed}\n`);
await runAsked(
  Object.fromEntries(FAMILIES.map((family) => [family.name, async () => [await rowOf(family)]])),
  positionals,
);

async function rowOf(family: FaultFamily): Promise<Row> {
  const { name, title } = family;
  const options = {
    rounds: Number(values.rounds ?? family.defaultRounds),
    seconds: Number(values.seconds),
    processes: Number(values.processes),
    ...(values.size !== undefined && { size: Number(values.size) }),
  };
  const begin = performance.now();
  const outcome = await family.run({ ...options, random: new Random(Number(values.seed)) });
  const seconds = Math.round((performance.now() - begin) / 100) / 10;
  for (const sentence of outcome.wrong.slice(0, 10)) process.stdout.write(`${name}: ${sentence}\n`);
  for (const note of outcome.notes) process.stdout.write(`${name}: ${note}\n`);
  const seen = await family.negativeControl({
    ...options,
    random: new Random(Number(values.seed)),
  });
  process.stdout.write(`${name}: negative control: ${seen[0] ?? 'nothing was found'}\n`);
  const { rounds, acknowledged, lost, wrong } = outcome;
  return {
    name,
    isGood: wrong.length === 0 && lost === 0 && seen.length > 0,
    cells: {
      title,
      rounds,
      acknowledged,
      lost,
      wrong: wrong.length - lost,
      seconds,
      'control failed': seen.length > 0 ? 'yes' : 'NO',
    },
  };
}
