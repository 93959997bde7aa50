import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RequestLimit } from '../../../src/adapters/http/server/request-limit.js';

const limit = new RequestLimit({ maxInFlight: 1, maxPerProject: 1, maxBegunPerProject: 1 });
const { signal } = new AbortController();

test('refuses hundreds of tasks over many turns of the event loop, so that others have theirs between', async () => {
  let refused = 0;
  const running = limit.run(() => new Promise((resolve) => setTimeout(resolve, 100)), { signal });
  const others = Array.from({ length: 400 }, () =>
    limit
      .run(async () => {}, { signal })
      .catch(() => {
        refused += 1;
      }),
  );
  const turns: number[] = [];
  for (let before = 0; refused < others.length; before = refused) {
    await nextTurn();
    turns.push(refused - before);
  }
  await running;
  expect(Math.max(...turns)).toBeLessThanOrEqual(16);
});
