import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { resourcesOf } from '../../test/support/processes.js';
import type { Client } from '../../test/support/running-service-calls.js';
import type { TempProject } from '../../test/support/temp-project.js';
import { fittedLine } from '../quality/statistics.js';
import type { CollectedMemory } from './live-heaps.js';

const SAMPLE_EVERY_MS = 2_000;
const WARM_UP_S = 600;
const COLLECTED_EVERY_S = 60;
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
    samples.push({
      second: (performance.now() - begin) / 1000,
      ...resourcesOf(service.process.pid),
      walMb: (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
    });
    await pause(SAMPLE_EVERY_MS);
  }
  return samples;
}

/** When garbage is collected to see what is left: after the warm-up, or in the later half of a shorter run. */
export function collectedAt(seconds: number): readonly number[] {
  const [from, until] = [warmUpOf(seconds), seconds - 10];
  const count = Math.max(2, Math.floor((until - from) / COLLECTED_EVERY_S) + 1);
  return Array.from({ length: count }, (_, n) => from + ((until - from) * n) / (count - 1));
}

/** Files must be flat after the warm-up, and the log short. */
export function growth(samples: readonly Sample[], seconds: number): readonly string[] {
  const later = samples.filter(({ second }) => second >= warmUpOf(seconds));
  const [before, after] = halvesOf(later).map((half) =>
    Math.max(...half.map(({ files }) => files)),
  );
  const wal = Math.max(...samples.map(({ walMb }) => walMb));
  return [
    ...((after ?? 0) > (before ?? 0) + MOST_MORE_FILES
      ? [`I6 ${before} descriptors became ${after}`]
      : []),
    ...(wal > MOST_WAL_MB ? [`the log has ${wal.toFixed(0)} MB`] : []),
  ];
}

/**
 * What is left after a garbage collection must be flat: growth counts if it is more than twice its standard error above
 * the gate, because the process has up to 15 MB more or less from one collection to the next. A run without 10 minutes after
 * the warm-up does not tell.
 */
export function memoryGrowth(left: readonly CollectedMemory[], seconds: number) {
  if (seconds < 2 * WARM_UP_S) return [];
  return [
    ['the process', ({ memoryMb }: CollectedMemory) => memoryMb] as const,
    ['what the threads hold', ({ heldMb }: CollectedMemory) => heldMb] as const,
  ].flatMap(([what, of]) => {
    const trend = trendOf(left, of);
    return trend.growth - 2 * trend.error > MOST_MB_PER_10_MIN
      ? [`I6 ${what} grows by ${trendText(trend)}`]
      : [];
  });
}

export function figures(samples: readonly Sample[], left: readonly CollectedMemory[]) {
  const most = (of: (sample: Sample) => number) => Math.max(...samples.map(of));
  const listed = (of: (memory: CollectedMemory) => number) =>
    `${left.map((memory) => of(memory).toFixed(0)).join(' ')} MB; growth ${trendText(trendOf(left, of))}`;
  return [
    `memory: at most ${most(({ memoryMb }) => memoryMb).toFixed(0)} MB; without garbage ${listed(({ memoryMb }) => memoryMb)}`,
    `held by the threads: ${listed(({ heldMb }) => heldMb)}`,
    `at most ${most(({ files }) => files)} descriptors, ${most(({ walMb }) => walMb).toFixed(1)} MB of log`,
  ];
}

function warmUpOf(seconds: number): number {
  return Math.min(WARM_UP_S, seconds / 2);
}

function halvesOf(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  const middle = Math.floor(samples.length / 2);
  return [samples.slice(0, middle), samples.slice(middle)];
}

/** In MB per 10 minutes. */
interface Trend {
  readonly growth: number;
  /** Standard error of the growth. */
  readonly error: number;
}

function trendOf(left: readonly CollectedMemory[], of: (memory: CollectedMemory) => number): Trend {
  const line = fittedLine(left.map((memory) => [memory.second / 600, of(memory)]));
  return { growth: line.slope, error: line.slopeError };
}

function trendText({ growth, error }: Trend): string {
  return `${growth.toFixed(2)} ± ${error.toFixed(2)} MB in 10 minutes`;
}
