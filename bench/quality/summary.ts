import type { Column } from './bench-project.js';
import type { QueryResult } from './measure.js';
import { METRIC_NAMES, type MetricName } from './metrics.js';
import { BASE_MODE, type ModeName } from './modes.js';
import { differences, type Estimate, estimate, estimateMacro, median } from './statistics.js';

export type Estimates = Readonly<Record<MetricName, Estimate>>;

export interface ModeReport {
  readonly column: Column;
  readonly mode: ModeName;
  readonly metrics: Estimates;
  /** Differences per query to `bm25` of the same column; absent for `bm25` itself, or if it was not run. */
  readonly againstBase?: Estimates;
  /** Over all queries, including those without judgments. */
  readonly queries: number;
  /** Queries without any result. */
  readonly empty: number;
  /** Queries without any result although the index contains one of their words. */
  readonly emptyThoughKnown: number;
  readonly errors: number;
  /** Answers that were ranked by keyword only although there were vectors. */
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

/** The mean over sets, for modes that were run on the same sets. */
export interface MacroReport {
  readonly column: Column;
  readonly mode: ModeName;
  readonly sets: readonly string[];
  readonly metrics: Estimates;
  readonly againstBase?: Estimates;
}

export interface Measured {
  readonly column: Column;
  readonly mode: ModeName;
  readonly usesVectors: boolean;
  readonly results: readonly QueryResult[];
}

export function summarize(measured: readonly Measured[]): readonly ModeReport[] {
  return measured.map(({ column, mode, usesVectors, results }) => {
    const base = measured.find((other) => other.column === column && other.mode === BASE_MODE);
    const isCompared = base !== undefined && mode !== BASE_MODE;
    return {
      column,
      mode,
      metrics: forEachMetric((name) => estimate(valuesOf(results, name))),
      ...(isCompared && {
        againstBase: forEachMetric((name) => estimate(gainsOf(results, base.results, name))),
      }),
      queries: results.length,
      empty: count(results, ({ empty }) => empty !== undefined),
      emptyThoughKnown: count(results, ({ empty }) => empty === 'known word'),
      errors: count(results, ({ error }) => error !== undefined),
      withoutVectors: usesVectors
        ? count(results, ({ retrievalMode }) => retrievalMode === 'bm25')
        : 0,
      medianMilliseconds: median(results.map(({ milliseconds }) => milliseconds)),
      results,
    };
  });
}

/** Each mode over the sets that have all of them, so that modes and columns can be compared. */
export function summarizeMacro(sets: readonly SetReport[]): readonly MacroReport[] {
  const own = sets.filter((set) => isComplete(sets, set));
  const kinds = new Map(
    own.flatMap(({ modes }) =>
      modes.map(({ column, mode }) => [`${column} ${mode}`, { column, mode }]),
    ),
  );
  return [...kinds.values()].map(({ column, mode }) => {
    const values = (name: MetricName, kind: ModeName) =>
      own.map((set) => valuesOf(find(set, column, kind)?.results ?? [], name));
    const isCompared = mode !== BASE_MODE && own.every((set) => find(set, column, BASE_MODE));
    return {
      column,
      mode,
      sets: own.map(({ name }) => name),
      metrics: forEachMetric((name) => estimateMacro(values(name, mode))),
      ...(isCompared && {
        againstBase: forEachMetric((name) => {
          const base = values(name, BASE_MODE);
          return estimateMacro(values(name, mode).map((v, i) => differences(v, base[i] ?? [])));
        }),
      }),
    };
  });
}

/** A metric of each judged query, in the order of the results. */
export function valuesOf(results: readonly QueryResult[], name: MetricName): readonly number[] {
  return results.flatMap(({ metrics }) => (metrics === undefined ? [] : [metrics[name]]));
}

export function gainsOf(
  results: readonly QueryResult[],
  base: readonly QueryResult[],
  name: MetricName,
): readonly number[] {
  return differences(valuesOf(results, name), valuesOf(base, name));
}

export function find(set: SetReport, column: Column, mode: ModeName): ModeReport | undefined {
  return set.modes.find((report) => report.column === column && report.mode === mode);
}

/** Whether a set has every column and mode that any set has; other sets would distort the comparison. */
function isComplete(sets: readonly SetReport[], { modes }: SetReport): boolean {
  return modes.length === Math.max(...sets.map((set) => set.modes.length));
}

function forEachMetric(of: (name: MetricName) => Estimate): Estimates {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, of(name)])) as unknown as Estimates;
}

function count<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length;
}
