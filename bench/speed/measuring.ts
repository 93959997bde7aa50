import { median, percentile } from '../quality/statistics.js';

/** CPU time of some work, in milliseconds, over all threads of this process. */
export async function processorMs(work: () => unknown): Promise<number> {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** Measures several ways to do the same in turn. Returns the least CPU time of each over some rounds. */
export async function inTurn<Way extends string>(
  ways: Readonly<Record<Way, () => unknown>>,
  rounds = 3,
): Promise<Record<Way, number>> {
  const names = Object.keys(ways) as Way[];
  const times = Object.fromEntries(names.map((way) => [way, Infinity])) as Record<Way, number>;
  for (let round = 0; round < rounds; round += 1) {
    for (const way of names) times[way] = Math.min(times[way], await processorMs(ways[way]));
  }
  return times;
}

/** The median of the ratios per query. */
export function ratio(times: readonly number[], others: readonly number[]): string {
  return median(times.map((time, index) => time / (others[index] ?? Number.NaN))).toFixed(2);
}

/** Median and 99th percentile. */
export function p50p99(times: readonly number[]): string {
  return `${ms(median(times))} / ${ms(percentile(times, 0.99))}`;
}

export function ms(time: number): string {
  return time.toFixed(time < 100 ? 2 : 0);
}

export function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

/** Formats a Markdown table. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
