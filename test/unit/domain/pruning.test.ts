import { expect, it } from 'vitest';
import { pruneBoundary } from '../../../src/domain/upkeep/pruning.js';

it('lies 90 days back, to the millisecond', () => {
  const boundary = pruneBoundary(new Date('2026-05-31T12:00:00.123Z'));
  expect(boundary.toISOString()).toBe('2026-03-02T12:00:00.123Z');
});
