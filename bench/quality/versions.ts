import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines } from './collection.js';
import { completeAmong, type SetReport } from './summary.js';

/** The results of one version of the service: nDCG@10 by set and mode, for sets that have every mode. */
export interface VersionRow {
  readonly version: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly sets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** This file is committed. It has one line per version, oldest first (bench/README.md, "Versions"). */
const RECORDED = fileURLToPath(new URL('versions.jsonl', import.meta.url));

export function recordedVersions(): readonly VersionRow[] {
  return readLines<VersionRow>(RECORDED);
}

export function recordVersion(row: VersionRow): void {
  appendFileSync(RECORDED, `${JSON.stringify(row)}\n`);
}

export function versionOf(version: string, sets: readonly SetReport[]): VersionRow {
  const entries = completeAmong(sets).map(({ name, modes }) => {
    const values = modes.map(({ mode, metrics }) => [mode, Number(metrics.ndcg10.toFixed(4))]);
    return [name, Object.fromEntries(values)];
  });
  return {
    version,
    date: new Date().toISOString().slice(0, 10),
    sets: Object.fromEntries(entries),
  };
}
