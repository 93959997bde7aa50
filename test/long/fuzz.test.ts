import { expect, test } from 'vitest';
import { hostileProjects } from '../../bench/fuzz/hostile-projects.js';
import { http } from '../../bench/fuzz/http.js';
import { model } from '../../bench/fuzz/model.js';
import { queries } from '../../bench/fuzz/queries.js';

/** The short form of `npm run test:fuzz`. */

const SEED = 42;

test.each([
  { family: http, runs: 100 },
  { family: queries, runs: 80 },
  { family: hostileProjects, runs: 20 },
  { family: model, runs: 10 },
])('$family.title: $runs of them break nothing', async ({ family, runs }) => {
  await family.run({ runs, seed: SEED });
});

test.each([http, queries, hostileProjects, model])(
  '$title: the checks see something broken',
  async (family) => {
    await expect(family.negativeControl({ runs: 200, seed: SEED })).rejects.toThrow();
  },
);
