import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, toPage } from './page/page.js';

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
