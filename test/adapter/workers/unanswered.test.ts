import { expect, test } from 'vitest';
import { mayRunAgain, UnansweredError } from '../../../src/adapters/workers/unanswered.js';

/** How often a call of project /p is given to workers at most. */
function givenTo(isRead: boolean, error: UnansweredError): number {
  let tries = 0;
  while (tries < 100 && mayRunAgain({ isRead, path: '/p', tries }, error)) tries += 1;
  return tries + 1;
}

test.each([
  ['a worker that ends in its own project', 3, 1, new UnansweredError('died', '/p')],
  ['one that ends in another project', 6, 1, new UnansweredError('died', '/q')],
  ['one that is stuck', 1, 1, new UnansweredError('stuck', '/q')],
  ['one that is silent in another project', 6, 101, new UnansweredError('taken')],
  ['one that came to read it too late', 3, 101, new UnansweredError('late')],
])('%s: a read is given to %i workers, a write to %i', (_, reads, writes, error) => {
  expect([givenTo(true, error), givenTo(false, error)]).toEqual([reads, writes]);
});
