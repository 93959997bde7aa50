import { expect, it } from 'vitest';
import { formatSize } from '../../../src/adapters/cli/text/format.js';
import { Progress, type ProgressOptions } from '../../../src/adapters/cli/text/progress.js';

it('shows amount, rate and time left, counted from the first amount', () => {
  const { progress, lines, wait } = made();
  wait(5000);
  progress.show({ done: 100, total: 400 });
  wait(2000);
  progress.show({ done: 200, total: 400 });
  expect(lines()).toEqual([
    'Work █████░░░░░░░░░░░░░░░ 100/400',
    'Work ██████████░░░░░░░░░░ 200/400 · 50.0/s · 4 s left',
  ]);
});

it('shows sizes as sizes', () => {
  const { progress, lines, wait } = made({ unit: formatSize });
  progress.show({ done: 0, total: 23_000_000 });
  wait(3000);
  progress.show({ done: 10_000_000, total: 23_000_000 });
  expect(lines().at(-1)).toMatch(/^Work █{9}░{11} 10 MB\/23 MB · 3\.3 MB\/s · 4 s left$/);
});

it('writes nothing if standard error is no terminal', async () => {
  const { progress, lines } = made({}, { showsProgress: false });
  await progress.during(async () => progress.show({ done: 1, total: 2 }));
  expect(lines()).toEqual([]);
});

// Helpers

function made(options: ProgressOptions = {}, { showsProgress } = { showsProgress: true }) {
  let now = 0;
  const written: string[] = [];
  const terminal = {
    out: () => undefined,
    err: (text: string) => void written.push(text),
    columns: 80,
    colors: { out: false, err: false },
    showsProgress,
    isInteractive: false,
    confirm: async () => false,
    readInput: async () => '',
  };
  const progress = new Progress(terminal, 'Work', { now: () => now, ...options });
  return {
    progress,
    lines: () => written.map((text) => text.replace('\r\u001b[2K', '')),
    wait: (ms: number) => {
      now += ms;
    },
  };
}
