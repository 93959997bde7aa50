import { expect, test } from 'vitest';
import type { FaultFamily, FaultOptions } from '../../bench/faults/family.js';
import { killed } from '../../bench/faults/killed.js';
import { killedWorkers } from '../../bench/faults/killed-workers.js';
import { limitedFiles } from '../../bench/faults/limited-files.js';
import { oddDatabases } from '../../bench/faults/odd-databases.js';
import { Random } from '../../bench/faults/random.js';
import { replacedFiles } from '../../bench/faults/replaced-files.js';
import { severalProcesses } from '../../bench/faults/several-processes.js';

/** A short form of `npm run test:faults`. */

const SEED = 42;

test.each<readonly [FaultFamily, Omit<FaultOptions, 'random'>]>([
  [killed, { rounds: 3, seconds: 0, processes: 1 }],
  [severalProcesses, { rounds: 1, seconds: 1, processes: 2 }],
  [killedWorkers, { rounds: 3, seconds: 0, processes: 1 }],
  [oddDatabases, { rounds: 20, seconds: 0, processes: 1 }],
  [replacedFiles, { rounds: 9, seconds: 0, processes: 1 }],
  [limitedFiles, { rounds: 1, seconds: 0, processes: 1 }],
])(
  '$name ($title) loses nothing that was confirmed and breaks no invariant',
  async (family, size) => {
    const { lost, wrong, acknowledged } = await family.run({ ...size, random: new Random(SEED) });
    expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
    expect(acknowledged).toBeGreaterThan(0);
  },
  60_000,
);

test.each([oddDatabases, severalProcesses, replacedFiles])(
  '$name sees the damage that something careless does',
  async (family) => {
    const options = { rounds: 3, seconds: 0, processes: 2, random: new Random(SEED) };
    expect(await family.negativeControl(options)).not.toEqual([]);
  },
);
