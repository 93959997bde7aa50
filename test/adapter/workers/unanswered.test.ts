import { expect, test } from 'vitest';
import { mayRunAgain, type Unanswered } from '../../../src/adapters/workers/unanswered.js';

test.each<[Unanswered, number, number]>([
  ['died', 6, 1],
  ['stuck', 1, 1],
  ['taken', 6, 101],
  ['late', 6, 101],
])('%s: a read is given to %i workers, a write to %i', (why, reads, writes) => {
  const givenTo = (isRead: boolean) => {
    let tries = 0;
    while (tries < 100 && mayRunAgain({ isRead, tries }, why)) tries += 1;
    return tries + 1;
  };
  expect([givenTo(true), givenTo(false)]).toEqual([reads, writes]);
});
