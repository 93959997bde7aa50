/** A row of the table at the end of a run. */
export interface Row {
  readonly name: string;
  readonly isGood: boolean;
  readonly cells: object;
}

/** Runs the named works, or all, and prints a table. The process exits with 1 unless all rows are good. */
export async function runAsked(
  works: Readonly<Record<string, () => Promise<readonly Row[]>>>,
  asked: readonly string[],
): Promise<void> {
  const unknown = asked.filter((name) => works[name] === undefined);
  if (unknown.length > 0) {
    const names = Object.keys(works).join(', ');
    process.stderr.write(`Unknown: ${unknown.join(', ')}. There are: ${names}.\n`);
    process.exit(2);
  }
  const rows: Row[] = [];
  for (const [name, work] of Object.entries(works)) {
    if (asked.length === 0 || asked.includes(name)) rows.push(...(await work()));
  }
  console.table(Object.fromEntries(rows.map(({ name, cells }) => [name, cells])));
  process.exitCode = rows.every(({ isGood }) => isGood) ? 0 : 1;
}
