import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measures, measure } from './measures/count.js';

/**
 * Prints figures on the structure of the code for git revisions, or for the work tree if none is named: `npx tsx
 * bench/measures.ts 4ee9ac18 HEAD`. `--list` adds the files behind each figure.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const revisions = args.filter((arg) => arg !== '--list');
const columns = revisions.length === 0 ? [measure(ROOT)] : revisions.map(measureRevision);

const ROWS: Readonly<Record<keyof Measures, string>> = {
  kindFiles: 'files that name a kind of source',
  pairs: 'pairs of folders that import each other',
  ringsInApp: 'rings of folders that import each other in app',
  describedTwice: 'answers described twice',
  casts: '`as` casts',
  namedOf: 'functions named …Of',
  namedIn: 'functions named …In',
  smallFiles: 'files with one importer, below 60 lines, in the same folder',
  variableFiles: 'files outside app/config that name a variable',
  lines: 'lines of src',
  testLines: 'lines of test',
};

console.log(`| measure | ${revisions.length === 0 ? 'work tree' : revisions.join(' | ')} |`);
console.log(`|---|${columns.map(() => '---|').join('')}`);
for (const [name, title] of Object.entries(ROWS)) {
  const cells = columns.map((column) => count(column[name as keyof Measures]));
  console.log(`| ${title} | ${cells.join(' | ')} |`);
}
if (args.includes('--list')) list(columns.at(-1));

function measureRevision(revision: string): Measures {
  const folder = mkdtempSync(join(tmpdir(), 'measures-'));
  try {
    const archive = execFileSync('git', ['archive', revision, 'src', 'test'], {
      cwd: ROOT,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(value: Measures[keyof Measures]): number {
  return typeof value === 'number' ? value : value.length;
}

function list(measures: Measures | undefined): void {
  for (const [name, value] of Object.entries(measures ?? {})) {
    if (Array.isArray(value))
      console.log(`\n${ROWS[name as keyof Measures]}:\n${value.join('\n')}`);
  }
}
