import { expect, it } from 'vitest';
import { FEATURE_STATES, mayFollow } from '../../../src/domain/lessons/feature-state.js';

it('allows these transitions and no others', () => {
  const allowed = FEATURE_STATES.flatMap((from) =>
    FEATURE_STATES.filter((to) => mayFollow(from, to)).map((to) => `${from} -> ${to}`),
  );
  expect(allowed).toEqual([
    'BACKLOG -> PLAN',
    'PLAN -> EXECUTE',
    'PLAN -> FAILED',
    'EXECUTE -> VERIFY',
    'EXECUTE -> FAILED',
    'VERIFY -> EXECUTE',
    'VERIFY -> DONE',
    'VERIFY -> FAILED',
    'FAILED -> PLAN',
    'FAILED -> EXECUTE',
  ]);
});
