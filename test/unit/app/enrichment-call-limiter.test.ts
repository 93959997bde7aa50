import { expect, it } from 'vitest';
import { CallLimiter } from '../../../src/app/enrichment/call-limiter.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { settle } from '../../support/enrichment-world.js';

it('the limit of background calls rejects at once who waits, and who comes later, once it is stopped', async () => {
  const clock = new FixedClock();
  const limiter = new CallLimiter(clock);
  for (let i = 0; i < 10; i += 1) await limiter.admit();
  const waiting = expect(limiter.admit()).rejects.toThrow('stopping');
  await settle();
  limiter.stop();
  await waiting;
  expect(clock.sleepers).toBe(0);
  await expect(limiter.admit()).rejects.toThrow('stopping');
  const unused = new CallLimiter(clock);
  unused.stop();
  await expect(unused.admit()).rejects.toThrow('stopping');
});
