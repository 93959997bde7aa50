import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Breaks text into lines of at most `columns`, each behind `indent`. Words that are too long are cut. */
export function wrapped(text: string, columns: number, indent = ''): readonly string[] {
  const width = Math.max(1, columns - indent.length);
  return wrapAnsi(text, width, { hard: true, trim: false })
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd());
}

/** Text cut to `columns`, with an ellipsis where something is missing. For text without colors. */
export function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const [head = ''] = wrapAnsi(text, Math.max(1, columns - 1), {
    hard: true,
    wordWrap: false,
  }).split('\n');
  return `${head.trimEnd()}…`;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/**
 * Rows under their titles, as wide as their content. If that does not fit into `columns`, the widest
 * column on the left is cut. Cells are without colors.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, title }: { readonly width: number; readonly title: (text: string) => string },
): string {
  const titles = columns.map((column) => column.title);
  const widths = fitted(widthsOf([titles, ...rows]), width - GAP.length * (columns.length - 1));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => aligned(cut(cell, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.align))
      .join(GAP)
      .trimEnd();
  return [title(line(titles)), ...rows.map(line)].join('\n');
}

const GAP = '  ';
const MIN_COLUMN = 8;

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const [first = []] = rows;
  return first.map((_, i) => Math.max(...rows.map((row) => stringWidth(row[i] ?? ''))));
}

function fitted(widths: readonly number[], available: number): readonly number[] {
  const excess = widths.reduce((sum, width) => sum + width, 0) - available;
  if (excess <= 0) return widths;
  const widest = widths.indexOf(Math.max(...widths));
  return widths.map((width, i) => (i === widest ? Math.max(MIN_COLUMN, width - excess) : width));
}

function aligned(text: string, width: number, align: Column['align'] = 'left'): string {
  const padding = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? padding + text : text + padding;
}
