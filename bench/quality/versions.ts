import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './collection.js';
import type { ModeName } from './modes.js';
import { mean } from './statistics.js';
import type { SetReport } from './summary.js';

/** What one version of the service reached: nDCG@10 of the column `document`, by set and mode. */
export interface VersionRow {
  readonly version: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly sets: Readonly<Record<string, Partial<Record<ModeName, number>>>>;
}

/** Committed, one line per version, the oldest first (bench/README.md, "Versions"). */
const RECORDED = fileURLToPath(new URL('versions.jsonl', import.meta.url));

export function recordedVersions(): readonly VersionRow[] {
  return readLines<VersionRow>(RECORDED);
}

export function recordVersion(row: VersionRow): void {
  appendFileSync(RECORDED, `${JSON.stringify(row)}\n`);
}

export function versionOf(version: string, date: string, sets: readonly SetReport[]): VersionRow {
  const entries = sets.map(({ name, modes }) => {
    const own = modes.filter(({ column }) => column === 'document');
    const values = own.map(({ mode, metrics }) => [mode, Number(metrics.ndcg10.mean.toFixed(4))]);
    return [name, Object.fromEntries(values)];
  });
  return { version, date: date.slice(0, 10), sets: Object.fromEntries(entries) };
}

/** The mean over sets; undefined where the mode was not measured on all of them. */
export function meanOf(
  row: VersionRow,
  mode: ModeName,
  sets: readonly string[],
): number | undefined {
  const values = sets.map((set) => row.sets[set]?.[mode]);
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length && known.length > 0 ? mean(known) : undefined;
}
