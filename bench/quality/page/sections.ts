import type { Column } from '../bench-project.js';
import type { ChunkingReport } from '../chunking-run.js';
import { BASE_MODE, MODES, type ModeName } from '../modes.js';
import { find, gainsOf, type MacroReport, type ModeReport, type SetReport } from '../summary.js';
import { COUNTS_HEAD, countCells, decimals, QUALITY_HEAD, qualityCells } from '../text-report.js';
import { meanOf, type VersionRow } from '../versions.js';
import { axisEnd, type Bar, barsFigure } from './bars.js';
import { gainsFigure } from './gains.js';
import { escaped, table } from './html.js';

const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  document: 'One document, one chunk',
  chunker: 'Markdown files, through the chunker',
};

export function macroSection(macro: readonly MacroReport[]): string {
  if (macro.length === 0) return '';
  const rows = macro.map((report) => [...qualityCells(report), String(report.sets.length)]);
  return section('mean', 'Mean of the sets', 'Over the sets that have every column and mode.', [
    barsFigure('Mean nDCG@10 of the sets by mode', macro.map(toBar)),
    table([...QUALITY_HEAD, 'sets'], rows, 2),
  ]);
}

/** One row per version, over the sets of this run, so that the next change is compared with the last. */
export function versionsSection(
  versions: readonly VersionRow[],
  macro: readonly MacroReport[],
): string {
  const sets = macro[0]?.sets;
  if (sets === undefined) return '';
  const modes = [...new Set(macro.map(({ mode }) => mode))];
  const rows = versions.map((row) => [
    row.version,
    row.date,
    ...modes
      .map((mode) => meanOf(row, mode, sets))
      .map((value) => (value === undefined ? '' : decimals(value))),
  ]);
  const about = `Mean nDCG@10 of ${sets.join(', ')}; one document, one chunk.`;
  return section('versions', 'Versions', about, [table(['version', 'date', ...modes], rows, 2)]);
}

export function setSection(set: SetReport): string {
  const rows = set.modes.map((mode) => [...qualityCells(mode), ...countCells(mode)]);
  const about = `${set.documents} documents, ${set.judged} judged queries, fingerprint ${set.fingerprint}`;
  return section(set.name, set.name, about, [
    barsFigure(`nDCG@10 of ${set.name} by mode`, set.modes.map(toBar)),
    table([...QUALITY_HEAD, ...COUNTS_HEAD], rows, 2),
    gainsOfSet(set),
  ]);
}

export function chunkingSection(report: ChunkingReport): string {
  const { maxTokens, chunks, meanCharacters, questions, unplaced, answers } = report;
  const about = `${questions} questions; ${chunks} chunks of ${meanCharacters.toFixed(0)} characters; ${unplaced} not found in their text`;
  const names = ['recall', 'precision', 'iou'] as const;
  const figures = names.map((name) => {
    const bars = answers.map(({ mode, budget, coverage }) => ({
      label: `${mode}, ${budget}`,
      group: name === 'iou' ? 'IoU' : name,
      estimate: coverage[name],
      kind: keywordOrVectors(mode),
      isBase: false,
    }));
    return barsFigure(name, bars, axisEnd(bars));
  });
  const title = `Chunks of at most ${maxTokens} tokens`;
  return section(`chunking-${maxTokens}`, title, about, figures);
}

function section(id: string, title: string, about: string, parts: readonly string[]): string {
  return `<section id="${escaped(id)}"><h2>${escaped(title)}</h2>
<p class="muted">${escaped(about)}</p>
${parts.join('\n')}
</section>`;
}

function toBar({ column, mode, metrics }: ModeReport | MacroReport): Bar {
  return {
    label: mode,
    group: COLUMN_TITLES[column],
    estimate: metrics.ndcg10,
    kind: keywordOrVectors(mode),
    isBase: mode === BASE_MODE,
  };
}

function keywordOrVectors(mode: ModeName): Bar['kind'] {
  return MODES[mode].model === 'none' ? 'keyword' : 'vectors';
}

function gainsOfSet(set: SetReport): string {
  const figures = set.modes.flatMap(({ column, mode, results }) => {
    const base = find(set, column, BASE_MODE);
    if (base === undefined || mode === BASE_MODE) return [];
    const gains = gainsOf(results, base.results, 'ndcg10');
    const label = column === 'document' ? mode : `${mode}, chunker`;
    return gains.some((gain) => gain !== 0) ? [gainsFigure(label, gains)] : [];
  });
  if (figures.length === 0) return '';
  return `<h3>Gain and loss of nDCG@10 per query against bm25, largest gain first</h3>
<div class="wide">${figures.join('\n')}</div>`;
}
