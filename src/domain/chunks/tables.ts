/** Whether two lines are the header and delimiter rows of a GitHub table: both must have the same number of cells. */
export function isTableStart(header: string, delimiter: string): boolean {
  if (!header.includes('|') || !/^[|:\- \t]+$/.test(delimiter)) return false;
  const delimiters = cells(delimiter);
  const isRow = delimiters.every((cell) => /^:?-+:?$/.test(cell.trim()));
  return isRow && delimiters.length === cells(header).length;
}

function cells(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/);
}
