import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { headOf } from '../../../domain/chunks/text.js';

/** Breaks text into lines of at most `columns`, each behind `indent`. Words that are too long are cut. */
export function wrapped(text: string, columns: number, indent = ''): readonly string[] {
  if (text === '') return [];
  const width = Math.max(1, columns - indent.length);
  return text
    .split('\n')
    .flatMap((line) =>
      wrapAnsi(line, width, { hard: true, trim: false }).split('\n').map(unindented),
    )
    .map((line) => `${indent}${line}`.trimEnd());
}

/** A line that goes on would begin with the space at which it was broken. */
function unindented(line: string, place: number): string {
  return place === 0 ? line : line.trimStart();
}

/** How many columns a text takes; that of a very long one need not be known. */
export function widthOf(text: string): number {
  return text.length > LONG_TEXT ? text.length : stringWidth(text);
}

const LONG_TEXT = 10_000;

/** Text cut to `columns`, with an ellipsis where something is missing. For text without colors. */
export function cut(whole: string, columns: number): string {
  const text = headOf(whole, 4 * columns);
  if (text === whole && stringWidth(text) <= columns) return text;
  const [head = ''] = wrapAnsi(text, Math.max(1, columns - 1), {
    hard: true,
    wordWrap: false,
  }).split('\n');
  return `${head.trimEnd()}…`;
}

/** Path cut to `columns` at its beginning, because its end tells it from others. */
export function cutPath(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const characters = Array.from(path.slice(-4 * columns));
  while (stringWidth(characters.join('')) >= Math.max(1, columns)) characters.shift();
  return `…${characters.join('')}`;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Whether it is left out where the table does not fit; the last such column is the first to go. */
  readonly isOptional?: boolean;
  /** How a cell is made to fit. */
  readonly cut?: (text: string, columns: number) => string;
}

/**
 * Rows under their titles, as wide as their content. If that does not fit into `width`, optional columns
 * are left out and then the widest column is cut. Cells are without colors.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, title }: { readonly width: number; readonly title: (text: string) => string },
): string {
  const titles = columns.map((column) => column.title);
  const widths = widthsOf([titles, ...rows]);
  const optional = columns.findLastIndex(({ isOptional }) => isOptional);
  if (optional >= 0 && excessOf(widths, width) > 0) {
    const others = rows.map((cells) => cells.toSpliced(optional, 1));
    return table(columns.toSpliced(optional, 1), others, { width, title });
  }
  const shown = fitted(widths, width);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => fittingCell(cell, shown[i] ?? 0, columns[i]))
      .join(GAP)
      .trimEnd();
  return [title(line(titles)), ...rows.map(line)].join('\n');
}

const GAP = '  ';
const MIN_COLUMN = 8;

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const [first = []] = rows;
  return first.map((_, i) => rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), 0));
}

/** By how much a table with columns of these widths is too wide. */
function excessOf(widths: readonly number[], available: number): number {
  return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - available;
}

function fitted(widths: readonly number[], available: number): readonly number[] {
  const excess = excessOf(widths, available);
  if (excess <= 0) return widths;
  const widest = widths.indexOf(Math.max(...widths));
  return widths.map((width, i) => (i === widest ? Math.max(MIN_COLUMN, width - excess) : width));
}

function fittingCell(cell: string, width: number, column: Column | undefined): string {
  const { align, cut: shorten = cut } = column ?? {};
  const text = shorten(cell, width);
  const padding = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? padding + text : text + padding;
}
