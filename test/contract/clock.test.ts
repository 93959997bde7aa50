import { setTimeout as pass } from 'node:timers/promises';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { completeClock } from '../../src/app/wiring/replaceable-ports.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { describeClock } from './system/clock.contract.js';

describeClock('of the system', () => ({ clock: systemClock, pass }));

describeClock('fixed', () => {
  const clock = new FixedClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

describeClock('of a host that gives the date only', () => ({
  clock: completeClock({ now: () => new Date() }),
  pass,
}));
