import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { type WrittenExpression, writtenExpressions } from '../support/regular-expressions.js';

/** A worker that is ended when it takes longer is stuck. */
const DEADLINE_MS = 30_000;

/** Expressions that see only the digits of one number. */
const FOR_NUMBERS = ['\\B(?=(\\d{3})+$)'];

test('no regular expression takes more than linear time, whatever run of signs it reads', async () => {
  const written = writtenExpressions(['src', 'console']);
  const distinct = new Map(written.map((one) => [`/${one.source}/${one.flags}`, one]));
  const slow = await slowExpressions(
    [...distinct.values()].filter(({ source }) => !FOR_NUMBERS.includes(source)),
  );
  expect(written.length).toBeGreaterThan(200);
  expect(slow).toEqual([]);
}, 120_000);

test.each([
  ['spaces before a sign', '\\s+$', ''],
  ['two neighbours that match the same', '^(.*?)[ \\t]*$', ''],
  ['a run that is tried from each of its signs', 'a+b', 'g'],
])('finds an expression that is slow: %s', async (_, source, flags) => {
  expect(await slowExpressions([{ place: 'here', source, flags }])).toHaveLength(1);
});

async function slowExpressions(
  expressions: readonly WrittenExpression[],
): Promise<readonly string[]> {
  const worker = new Worker(new URL('../support/slow-expressions.mjs', import.meta.url));
  const slow: string[] = [];
  try {
    for (const { place, source, flags } of expressions) {
      worker.postMessage({ source, flags });
      const answer = once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) });
      const text = await answer.then(
        ([message]) => message,
        () => 'beyond the deadline',
      );
      if (text !== undefined) slow.push(`${place} /${source}/${flags} ${text}`);
    }
  } finally {
    await worker.terminate();
  }
  return slow;
}
