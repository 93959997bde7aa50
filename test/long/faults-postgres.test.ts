import { describe, expect, it } from 'vitest';
import type { FaultFamily } from '../../bench/faults/family.js';
import { postgresStops } from '../../bench/faults/postgres-stops.js';
import { Random } from '../../bench/faults/random.js';
import { hasServerPrograms, NEEDS_PROGRAMS } from '../support/postgres-under-test.js';

/** The short form of `npm run faults:postgres`. */
describe.skipIf(!hasServerPrograms)(`PostgreSQL ${NEEDS_PROGRAMS}`, () => {
  it.each<readonly [FaultFamily, number]>([[postgresStops, 3]])(
    '$name ($title) loses nothing that was confirmed',
    async (family, rounds) => {
      const size = { rounds, seconds: 3, processes: 2 };
      const { lost, wrong, acknowledged } = await family.run({ ...size, random: new Random(42) });
      expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
      expect(acknowledged).toBeGreaterThan(0);
    },
  );
});
