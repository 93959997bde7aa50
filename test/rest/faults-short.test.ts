import { expect, test } from 'vitest';
import type { FaultFamily, FaultOptions } from '../../bench/faults/family.js';
import { firstOpenings } from '../../bench/faults/first-openings.js';
import { killed } from '../../bench/faults/killed.js';
import { Random } from '../../bench/faults/random.js';
import { severalProcesses } from '../../bench/faults/several-processes.js';
import { walCuts } from '../../bench/faults/wal-cuts.js';

/** The short form of `npm run test:faults`. */

const SEED = 42;

test.each<readonly [FaultFamily, Omit<FaultOptions, 'random'>]>([
  [killed, { rounds: 2, seconds: 0, processes: 1 }],
  [walCuts, { rounds: 10, seconds: 0, processes: 1 }],
  [severalProcesses, { rounds: 1, seconds: 1, processes: 2 }],
  [firstOpenings, { rounds: 1, seconds: 0, processes: 2 }],
])(
  '$name ($title) loses nothing that was confirmed and breaks no invariant',
  async (family, size) => {
    const { lost, wrong, acknowledged } = await family.run({ ...size, random: new Random(SEED) });
    expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
    expect(acknowledged).toBeGreaterThan(0);
  },
);

test.each([walCuts, severalProcesses])(
  '$name sees the damage that something careless does',
  async (family) => {
    const options = { rounds: 3, seconds: 0, processes: 2, random: new Random(SEED) };
    expect(await family.negativeControl(options)).not.toEqual([]);
  },
);
