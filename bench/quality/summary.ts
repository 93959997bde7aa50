import type { QueryResult } from './measure.js';
import { METRIC_NAMES, type Metrics } from './metrics.js';
import { MODES, type ModeName } from './modes.js';
import { mean, median } from './statistics.js';

export interface ModeReport {
  readonly mode: ModeName;
  /** Means over the judged queries. */
  readonly metrics: Metrics;
  /** Number of queries without results. */
  readonly empty: number;
  /** Number of queries without results although the index contains one of their words. */
  readonly emptyThoughKnown: number;
  readonly errors: number;
  /** Number of responses ranked by keyword only, although there were vectors. */
  readonly withoutVectors: number;
  readonly medianMilliseconds: number;
  readonly results: readonly QueryResult[];
}

export interface SetReport {
  readonly name: string;
  readonly fingerprint: string;
  readonly documents: number;
  readonly judged: number;
  readonly modes: readonly ModeReport[];
}

export function summarize(mode: ModeName, results: readonly QueryResult[]): ModeReport {
  const count = (is: (result: QueryResult) => boolean) => results.filter(is).length;
  const usesVectors = MODES[mode].model === 'vectors';
  return {
    mode,
    metrics: meanOf(results.flatMap(({ metrics }) => metrics ?? [])),
    empty: count(({ empty }) => empty !== undefined),
    emptyThoughKnown: count(({ empty }) => empty === 'known word'),
    errors: count(({ error }) => error !== undefined),
    withoutVectors: usesVectors ? count(({ retrievalMode }) => retrievalMode === 'bm25') : 0,
    medianMilliseconds: median(results.map(({ milliseconds }) => milliseconds)),
    results,
  };
}

/** Means over the sets that have every mode. Other sets would distort the comparison. */
export function meansOf(
  sets: readonly SetReport[],
): readonly Pick<ModeReport, 'mode' | 'metrics'>[] {
  const complete = completeAmong(sets);
  return (complete[0]?.modes ?? []).map(({ mode }) => ({
    mode,
    metrics: meanOf(complete.flatMap(({ modes }) => find(modes, mode)?.metrics ?? [])),
  }));
}

export function completeAmong(sets: readonly SetReport[]): readonly SetReport[] {
  const most = Math.max(...sets.map(({ modes }) => modes.length));
  return sets.filter(({ modes }) => modes.length === most);
}

export function find(modes: readonly ModeReport[], mode: ModeName): ModeReport | undefined {
  return modes.find((report) => report.mode === mode);
}

function meanOf(all: readonly Metrics[]): Metrics {
  const means = METRIC_NAMES.map((name) => [name, mean(all.map((metrics) => metrics[name]))]);
  return Object.fromEntries(means) as unknown as Metrics;
}
