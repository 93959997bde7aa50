import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChunkingReport } from './chunking-run.js';
import type { ProjectSettings } from './command-line.js';
import { toPage } from './page/page.js';
import type { Provenance } from './provenance.js';
import type { MacroReport, SetReport } from './summary.js';

/** The content of `report.json`. */
export interface Report {
  readonly format: 1;
  readonly provenance: Provenance;
  /** `recorded`: the vectors of the sets. `real`: vectors of the service's own model. */
  readonly model: 'recorded' | 'real';
  /** Settings of the projects that were searched. */
  readonly settings: ProjectSettings;
  readonly sets: readonly SetReport[];
  readonly macro: readonly MacroReport[];
  readonly chunking: readonly ChunkingReport[];
}

/** Writes `report.json` and `report.html` and returns their paths. */
export function writeReport(folder: string, report: Report): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const json = join(folder, 'report.json');
  const page = join(folder, 'report.html');
  writeFileSync(json, `${JSON.stringify(report, shortNumbers)}\n`);
  writeFileSync(page, toPage(report));
  return [json, page];
}

/** Rounds to six decimals. */
function shortNumbers(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}
