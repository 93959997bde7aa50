import { expect, test } from 'vitest';
import type { FaultFamily, FaultOptions } from '../../bench/faults/family.js';
import { firstOpenings } from '../../bench/faults/first-openings.js';
import { killed } from '../../bench/faults/killed.js';
import { killedUpkeep } from '../../bench/faults/killed-upkeep.js';
import { killedWorkers } from '../../bench/faults/killed-workers.js';
import { limitedFiles } from '../../bench/faults/limited-files.js';
import { modelDownloads } from '../../bench/faults/model-downloads.js';
import { oddTrees } from '../../bench/faults/odd-trees.js';
import { Random } from '../../bench/faults/random.js';
import { severalProcesses } from '../../bench/faults/several-processes.js';
import { unicode } from '../../bench/faults/unicode.js';
import { walCuts } from '../../bench/faults/wal-cuts.js';

/** A short form of `npm run test:faults`. */

const SEED = 42;

test.each<readonly [FaultFamily, Omit<FaultOptions, 'random'>]>([
  [killed, { rounds: 3, seconds: 0, processes: 1 }],
  [walCuts, { rounds: 10, seconds: 0, processes: 1 }],
  [severalProcesses, { rounds: 1, seconds: 1, processes: 2 }],
  [firstOpenings, { rounds: 1, seconds: 0, processes: 2 }],
  [killedWorkers, { rounds: 3, seconds: 0, processes: 1 }],
  [killedUpkeep, { rounds: 1, seconds: 0, processes: 1 }],
  [limitedFiles, { rounds: 1, seconds: 0, processes: 1 }],
  [modelDownloads, { rounds: 1, seconds: 0, processes: 1 }],
  [oddTrees, { rounds: 1, seconds: 0, processes: 1, size: 200 }],
  [unicode, { rounds: 30, seconds: 0, processes: 1 }],
])(
  '$name ($title) loses nothing that was confirmed and breaks no invariant',
  async (family, size) => {
    const { lost, wrong, acknowledged } = await family.run({ ...size, random: new Random(SEED) });
    expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
    // A single kill may come before anything was confirmed.
    if (family !== killedUpkeep) expect(acknowledged).toBeGreaterThan(0);
  },
  60_000,
);

test.each([walCuts, severalProcesses, unicode])(
  '$name sees the damage that something careless does',
  async (family) => {
    const options = { rounds: 3, seconds: 0, processes: 2, random: new Random(SEED) };
    expect(await family.negativeControl(options)).not.toEqual([]);
  },
);
