import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { hasServerPrograms } from '../../test/support/postgres-under-test.js';
import { canFakeTime, clockJumps } from './clock-jumps.js';
import { copiedDatabases } from './copied-databases.js';
import { damaged } from './damaged.js';
import { embeddingTogether } from './embedding-together.js';
import type { FaultFamily } from './family.js';
import { firstOpenings } from './first-openings.js';
import { fullDisk } from './full-disk.js';
import { heldLock } from './held-lock.js';
import { killed } from './killed.js';
import { killedUpkeep } from './killed-upkeep.js';
import { killedWorkers } from './killed-workers.js';
import { limitedFiles } from './limited-files.js';
import { mcpParents } from './mcp-parents.js';
import { modelDownloads } from './model-downloads.js';
import { oddTrees } from './odd-trees.js';
import { postgresGone } from './postgres-gone.js';
import { postgresMoves } from './postgres-moves.js';
import { postgresStops } from './postgres-stops.js';
import { postgresTakeover } from './postgres-takeover.js';
import { Random } from './random.js';
import { readOnly } from './read-only.js';
import { severalProcesses } from './several-processes.js';
import { shutdown } from './shutdown.js';
import { sidecars } from './sidecars.js';
import { soak } from './soak.js';
import { canTrace } from './system-call-faults.js';
import { unicode } from './unicode.js';
import { walCuts } from './wal-cuts.js';
import { writeFaults } from './write-faults.js';

/**
 * Fault injection into the real service; see bench/README.md.
 *
 *   npm run test:faults -- [family …] [--rounds N] [--seconds N] [--processes N] [--size N] [--seed S]
 *
 * P1 to P4 need KNOWLEDGE_TEST_POSTGRES_BIN, the folder that `scripts/get-postgres.sh` prints; `npm run faults:postgres`
 * sets it.
 */
const FAMILIES: readonly FaultFamily[] = [
  killed,
  ...(canTrace ? [writeFaults] : []),
  killedUpkeep,
  walCuts,
  severalProcesses,
  firstOpenings,
  embeddingTogether,
  fullDisk,
  limitedFiles,
  readOnly,
  damaged,
  sidecars,
  modelDownloads,
  shutdown,
  mcpParents,
  ...(canFakeTime ? [clockJumps] : []),
  oddTrees,
  unicode,
  copiedDatabases,
  soak,
  killedWorkers,
  heldLock,
  ...(hasServerPrograms ? [postgresStops, postgresTakeover, postgresMoves, postgresGone] : []),
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
const unknown = positionals.filter((name) => FAMILIES.every((family) => family.name !== name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. There are: ${names()}.\n`);
  process.exit(2);
}

process.stdout.write(`seed ${values.seed}\n`);
const rows: Row[] = [];
for (const family of FAMILIES) {
  if (positionals.length > 0 && !positionals.includes(family.name)) continue;
  rows.push(await rowOf(family));
}
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
process.exitCode = rows.every(isGood) ? 0 : 1;

interface Row {
  readonly name: string;
  readonly title: string;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly 'control failed': 'yes' | 'NO';
}

function isGood(row: Row): boolean {
  return row.lost === 0 && row.wrong === 0 && row['control failed'] === 'yes';
}

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
  return {
    name,
    title,
    rounds: outcome.rounds,
    acknowledged: outcome.acknowledged,
    lost: outcome.lost,
    wrong: outcome.wrong.length - outcome.lost,
    seconds,
    'control failed': seen.length > 0 ? 'yes' : 'NO',
  };
}

function names(): string {
  return FAMILIES.map(({ name, title }) => `${name} (${title})`).join(', ');
}
