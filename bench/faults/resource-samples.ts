import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../test/support/running-service-calls.js';
import type { TempProject } from '../../test/support/temp-project.js';

const SAMPLE_EVERY_MS = 2_000;
const WARM_UP_S = 600;
const SAMPLES_PER_MINUTE = 60_000 / SAMPLE_EVERY_MS;
const [MOST_MB_PER_10_MIN, MOST_WAL_MB, MOST_MORE_FILES] = [1, 64, 2];

/** One look at a service. */
interface Sample {
  readonly second: number;
  readonly memoryMb: number;
  readonly files: number;
  readonly walMb: number;
}

/** Looks at a service until a moment of `performance.now()`. */
export async function sampled({ service }: Client, { database }: TempProject, until: number) {
  const begin = performance.now();
  const samples: Sample[] = [];
  while (performance.now() < until) {
    const proc = `/proc/${service.process.pid}`;
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]);
    samples.push({
      second: (performance.now() - begin) / 1000,
      memoryMb: kilobytes / 1024,
      files: readdirSync(`${proc}/fd`).length,
      walMb: (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
    });
    await pause(SAMPLE_EVERY_MS);
  }
  return samples;
}

/** Memory and files must be flat after the warm-up; a run that is not twice as long says nothing of memory. */
export function growth(samples: readonly Sample[], seconds: number): readonly string[] {
  const later = afterWarmUp(samples, seconds);
  const slope = slopeOf(quietest(later)) * 600;
  const [before, after] = halvesOf(later).map((half) =>
    Math.max(...half.map(({ files }) => files)),
  );
  const wal = Math.max(...samples.map(({ walMb }) => walMb));
  return [
    ...(seconds >= 2 * WARM_UP_S && slope > MOST_MB_PER_10_MIN
      ? [`I6 memory grows by ${slope.toFixed(2)} MB in 10 minutes`]
      : []),
    ...((after ?? 0) > (before ?? 0) + MOST_MORE_FILES
      ? [`I6 ${before} descriptors became ${after}`]
      : []),
    ...(wal > MOST_WAL_MB ? [`the log has ${wal.toFixed(0)} MB`] : []),
  ];
}

/** What all threads hold after a garbage collection, at the end of the warm-up and at the end. */
export function heapGrowth([first, second]: readonly [number, number], seconds: number) {
  const grown = ((second - first) / (seconds - warmUpOf(seconds))) * 600;
  return seconds >= 2 * WARM_UP_S && grown > MOST_MB_PER_10_MIN
    ? [`I6 what the threads hold grows by ${grown.toFixed(2)} MB in 10 minutes`]
    : [];
}

/** Of a shorter run, its first half. */
export function warmUpOf(seconds: number): number {
  return Math.min(WARM_UP_S, seconds / 2);
}

export function figures(samples: readonly Sample[], seconds: number): readonly string[] {
  const later = afterWarmUp(samples, seconds);
  const most = (of: (sample: Sample) => number) => Math.max(...samples.map(of));
  return [
    `memory: at most ${most(({ memoryMb }) => memoryMb).toFixed(0)} MB, at the quietest moment of each minute ` +
      quietest(later)
        .map(({ memoryMb }) => memoryMb.toFixed(0))
        .join(' '),
    `${(slopeOf(quietest(later)) * 600).toFixed(2)} MB more in 10 minutes at the end`,
    `at most ${most(({ files }) => files)} descriptors, ${most(({ walMb }) => walMb).toFixed(1)} MB of log`,
  ];
}

function afterWarmUp(samples: readonly Sample[], seconds: number): readonly Sample[] {
  return samples.filter(({ second }) => second >= warmUpOf(seconds));
}

/** The smallest of each minute: how much garbage there is at a moment says nothing. */
function quietest(samples: readonly Sample[]): readonly Sample[] {
  const minutes = Math.ceil(samples.length / SAMPLES_PER_MINUTE);
  return Array.from({ length: minutes }, (_, minute) =>
    samples
      .slice(minute * SAMPLES_PER_MINUTE, (minute + 1) * SAMPLES_PER_MINUTE)
      .reduce((least, sample) => (sample.memoryMb < least.memoryMb ? sample : least)),
  );
}

function halvesOf(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  const middle = Math.floor(samples.length / 2);
  return [samples.slice(0, middle), samples.slice(middle)];
}

/** MB per second, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [
    mean(samples.map(({ second }) => second)),
    mean(samples.map(({ memoryMb }) => memoryMb)),
  ];
  const covariance = mean(samples.map(({ second, memoryMb }) => (second - x) * (memoryMb - y)));
  return covariance / mean(samples.map(({ second }) => (second - x) ** 2));
}
