import { beforeEach, expect, it } from 'vitest';
import { HeldLease } from '../../../src/app/leases.js';
import type { Leases } from '../../../src/ports/project-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

let clock: FixedClock;
let acquire: () => Promise<boolean>;
let calls: string[];
let lease: HeldLease;

beforeEach(() => {
  clock = new FixedClock();
  calls = [];
  acquire = async () => true;
  const leases: Leases = {
    acquire: (name) => {
      calls.push(`acquire ${name}`);
      return acquire();
    },
    release: async (name) => {
      calls.push(`release ${name}`);
      await acquire();
    },
    isHeld: async () => true,
  };
  lease = new HeldLease(clock, { leases, name: 'watch', durationMs: 30_000 });
});

it('is renewed before it expires, however often it is requested', async () => {
  for (let second = 0; second <= 20; second += 1) {
    expect(await lease.hold()).toBe(true);
    clock.advance(1_000);
  }
  expect(calls).toEqual(['acquire watch', 'acquire watch', 'acquire watch']);
});

it('is taken over once another process does not hold it any more', async () => {
  acquire = async () => false;
  expect(await lease.hold()).toBe(false);
  acquire = async () => true;
  expect(await lease.hold()).toBe(false);
  clock.advance(10_000);
  expect(await lease.hold()).toBe(true);
});

it('counts as held if the store fails, and is released only if it is held', async () => {
  await lease.release();
  expect(calls).toEqual([]);
  acquire = () => Promise.reject(new Error('locked'));
  expect(await lease.hold()).toBe(true);
  await lease.release();
  expect(calls).toEqual(['acquire watch', 'release watch']);
});
