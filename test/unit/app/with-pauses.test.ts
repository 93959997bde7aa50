import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withPauses } from '../../../src/app/ingestion/with-pauses.js';
import { cutMarkdownFile } from '../../../src/domain/chunks/chunking.js';

it('lets the event loop run while work is done that takes long, and returns what it made', async () => {
  let isDone = false;
  let turns = 0;
  const work = withPauses(slowly(10)).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  expect(await work).toBe('made');
  expect(turns).toBeGreaterThan(5);
});

it('fails as the work does', async () => {
  await expect(withPauses(failing())).rejects.toThrow('a bug');
});

it.each([
  ['lines', 'one more line of text\n'],
  ['sections', '## One more section\nand its text\n'],
  ['paragraphs', 'one more paragraph\n\n'],
])('cuts a file of many %s in many steps', (_, part) => {
  const options = { parseYaml: () => undefined };
  const steps = [...cutMarkdownFile(part.repeat(20_000), options)];
  expect(steps.length).toBeGreaterThan(20);
});

function* slowly(steps: number) {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 10;
    while (performance.now() < end);
    yield;
  }
  return 'made';
}

function* failing() {
  yield;
  throw new Error('a bug');
}
