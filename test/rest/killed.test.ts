import { expect, test } from 'vitest';
import type { FaultFamily } from '../../bench/faults/family.js';
import { killed } from '../../bench/faults/killed.js';
import { killedWorkers } from '../../bench/faults/killed-workers.js';
import { Random } from '../../bench/faults/random.js';
import { replacedFiles } from '../../bench/faults/replaced-files.js';

/** The shortest form of `npm run test:faults`; `test/long` has more families. */
test.each<readonly [FaultFamily, number]>([
  [killed, 1],
  [killedWorkers, 1],
  // The last round moves the file away and back.
  [replacedFiles, 5],
])('$name ($title) loses nothing that was confirmed', async (family, rounds) => {
  const options = { rounds, seconds: 0, processes: 1, random: new Random(42) };
  const { lost, wrong, acknowledged } = await family.run(options);
  expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
  expect(acknowledged).toBeGreaterThan(0);
});
