import type { ProjectSettings } from '../bench-project.js';
import type { ChunkingReport } from '../chunking-run.js';
import type { Provenance } from '../provenance.js';
import type { MacroReport, SetReport } from '../summary.js';
import type { VersionRow } from '../versions.js';
import { escaped, table } from './html.js';
import { chunkingSection, macroSection, setSection, versionsSection } from './sections.js';
import { STYLE } from './style.js';

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
  /** What was recorded of earlier versions, and this run, which is the last. */
  readonly versions: readonly VersionRow[];
}

/** The report as one self-contained HTML page. */
export function toPage(report: Report): string {
  const { provenance, sets, macro, chunking, versions } = report;
  const links = [
    ...(macro.length > 0 ? [['mean', 'mean of the sets']] : []),
    ...(macro.length > 0 ? [['versions', 'versions']] : []),
    ...sets.map(({ name }) => [name, name]),
    ...chunking.map(({ maxTokens }) => [`chunking-${maxTokens}`, `chunks of ${maxTokens} tokens`]),
    ['made-with', 'made with'],
  ].map(([id = '', label = '']) => `<a href="#${escaped(id)}">${escaped(label)}</a>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search quality, ${provenance.date.slice(0, 10)}</title>
<style>${STYLE}</style></head><body>
<h1>Search quality</h1>
<p class="muted">${provenance.date.slice(0, 16).replace('T', ' ')} UTC, commit ${escaped(provenance.commit.slice(0, 10))} (${provenance.tree} tree), vectors: ${report.model}</p>
<p>Bars end at the mean of the judged queries; whiskers are 95 % bootstrap intervals. Grey: by keyword alone. Blue: with vectors. The dashed line is bm25 mode, with which the others are compared query by query.
ceiling: nDCG@10 if what was returned stood in the best order; empty: queries without an answer; known: those of them with a word that the index holds; no vec: answers by keyword though there were vectors; ms: median of a query.</p>
<nav>${links.join('\n')}</nav>
${macroSection(macro)}
${versionsSection(versions, macro)}
${sets.map(setSection).join('\n')}
${chunking.map(chunkingSection).join('\n')}
${madeWith(report)}
</body></html>
`;
}

function madeWith({ provenance }: Report): string {
  const { node, sqlite, packages, machine } = provenance;
  const rows = Object.entries({ node, sqlite, ...packages });
  return `<section id="made-with"><h2>Made with</h2>
<p class="muted">${escaped(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}`)}</p>
${table(['what', 'version'], rows, 2)}
</section>`;
}
