import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { takeHead } from '../../../domain/text.js';
import type { Styles } from './format.js';

/** Breaks text into lines of at most `columns`, each after `indent`. Words that are too long are cut. */
export function wrapText(text: string, columns: number, indent = ''): readonly string[] {
  if (text === '') return [];
  const width = Math.max(1, columns - indent.length);
  return text
    .split('\n')
    .flatMap((line) => wrapAnsi(line, width, { hard: true, trim: false }).split('\n').map(unindent))
    .map((line) => `${indent}${line}`.trimEnd());
}

/** Removes the space at which a line was broken, because its continuation would begin with it. */
function unindent(line: string, place: number): string {
  return place === 0 ? line : line.trimStart();
}

/** The width of a text in columns. For very long texts, an estimate: one column per character. */
export function displayWidth(text: string): number {
  return text.length > LONG_TEXT ? text.length : stringWidth(text);
}

const LONG_TEXT = 10_000;

/** Cuts text to `columns`, with an ellipsis if something is missing. Not for text with colors. */
export function cut(whole: string, columns: number): string {
  const text = takeHead(whole, 4 * columns);
  if (text === whole && stringWidth(text) <= columns) return text;
  const [head = ''] = wrapAnsi(text, Math.max(1, columns - 1), {
    hard: true,
    wordWrap: false,
  }).split('\n');
  return `${head.trimEnd()}…`;
}

/** Shortens a path to `columns` at its beginning, because paths differ mostly at their ends. */
export function cutPath(path: string, columns: number): string {
  if (displayWidth(path) <= columns) return path;
  const characters = Array.from(path.slice(-4 * columns));
  while (stringWidth(characters.join('')) >= Math.max(1, columns)) characters.shift();
  return `…${characters.join('')}`;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortens a cell to fit. */
  readonly cut?: (text: string, columns: number) => string;
}

/**
 * Formats rows under their titles. Columns are as wide as their content; if the table does not fit, its widest column
 * is cut. Cells have no colors.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  view: { readonly columns: number; readonly styles: Pick<Styles, 'dim'> },
): string {
  const titles = columns.map((column) => column.title);
  const widths = columns.map((_, i) =>
    [titles, ...rows].reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), 0),
  );
  const excess =
    widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - view.columns;
  const widest = widths.indexOf(Math.max(...widths));
  const shown = widths.map((width, i) =>
    i === widest && excess > 0 ? Math.max(MIN_COLUMN, width - excess) : width,
  );
  const line = (cells: readonly string[]) =>
    columns
      .map((column, i) => fittingCell(cells[i] ?? '', shown[i] ?? 0, column))
      .join(GAP)
      .trimEnd();
  return [view.styles.dim(line(titles)), ...rows.map(line)].join('\n');
}

const GAP = '  ';
const MIN_COLUMN = 8;

function fittingCell(cell: string, width: number, { align, cut: shorten = cut }: Column): string {
  const text = shorten(cell, width);
  const padding = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? padding + text : text + padding;
}
