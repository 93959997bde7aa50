import { expect, test } from 'vitest';
import { mayRunAgain, type Unanswered } from '../../../src/adapters/workers/unanswered.js';

test.each<[Unanswered, number, number]>([
  ['died', 6, 1],
  ['stuck', 1, 1],
  ['taken', 101, 101],
  ['late', 101, 101],
])('%s: a read is given to %i workers, a write to %i', (why, reads, writes) => {
  const givenTo = (isRead: boolean) => {
    let ends = 0;
    while (ends < 100 && mayRunAgain({ isRead, ends }, why)) ends += 1;
    return ends + 1;
  };
  expect([givenTo(true), givenTo(false)]).toEqual([reads, writes]);
});
