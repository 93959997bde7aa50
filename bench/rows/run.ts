import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Runs the tests that a list of rows names, and prints a table with each row before and after:
 * `npx tsx bench/rows/run.ts [rows.json] [--only S1,T3]`. Ends with 1 if a test failed or a title matches no test.
 */
interface Entry {
  readonly id: string;
  /** What went wrong, in one sentence. */
  readonly before: string;
  /** Titles as in the source, with or without the titles of enclosing blocks. The beginning is enough. */
  readonly tests?: readonly { readonly file: string; readonly title: string }[];
  /** A command of `bench` that shows it, if no test can, or if the test is only a short form. */
  readonly recipe?: string;
  /** Why the subject of the row no longer exists. */
  readonly gone?: string;
  /** What the tests need in order not to be skipped. */
  readonly needs?: string;
}

interface Result {
  readonly title: string;
  readonly fullName: string;
  readonly status: string;
}

/** The fields of vitest's JSON report that are used here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly Result[];
  }[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const path = positionals[0] ?? fileURLToPath(new URL('rows-defects.json', import.meta.url));
const all: readonly Entry[] = JSON.parse(readFileSync(path, 'utf8'));
const only = values.only?.split(',') ?? all.map(({ id }) => id);
const entries = all.filter(({ id }) => only.includes(id));
const files = [...new Set(entries.flatMap(({ tests = [] }) => tests.map(({ file }) => file)))];
const isLong = (file: string) => file.startsWith('test/long/');
const results = new Map([
  ...runTests(files.filter((file) => !isLong(file))),
  ...runTests(files.filter(isLong), '1'),
]);

for (const id of only.filter((name) => !all.some((entry) => entry.id === name))) {
  complain(`There is no row ${id}.`);
}
console.log('| id | before | after | test |\n|---|---|---|---|');
for (const entry of entries) {
  const { id, before, tests = [], recipe } = entry;
  const shown = tests.map(({ file, title }) => `${file}: ${title}`);
  if (recipe !== undefined) shown.push(`\`${recipe}\``);
  const cells = [id, before, judge(entry), shown.join('<br>')];
  console.log(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}

/** Runs the files with a single call of vitest, and returns the results by file. */
function runTests(paths: readonly string[], KNOWLEDGE_TEST_LONG = '') {
  const found = new Map<string, readonly Result[]>();
  if (paths.length === 0) return found;
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  const output = join(folder, 'report.json');
  const env = { ...process.env, KNOWLEDGE_TEST_SPEED: '', KNOWLEDGE_TEST_LONG };
  const args = ['vitest', 'run', '--reporter=json', `--outputFile=${output}`, ...paths];
  try {
    execFileSync('npx', args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.exitCode = 1; // The report names the tests that failed.
  }
  const report: Report = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(folder, { recursive: true });
  for (const { name, status, assertionResults } of report.testResults) {
    const failed = assertionResults.map((result) => ({ ...result, status: 'failed' }));
    const isBroken = status === 'failed' && !assertionResults.some(hasFailed);
    const file = relative(ROOT, name);
    const former = found.get(file) ?? []; // A file may run in two vitest projects.
    found.set(file, [...former, ...(isBroken ? failed : assertionResults)]);
  }
  return found;
}

function hasFailed({ status }: Pick<Result, 'status'>): boolean {
  return status === 'failed';
}

function judge({ id, tests = [], recipe, gone, needs }: Entry): string {
  const statuses = tests.flatMap(({ file, title }) => {
    const found = (results.get(file) ?? []).filter((test) =>
      [test.title, test.fullName].some((name) => title !== '' && name.startsWith(title)),
    );
    if (found.length === 0) complain(`${id}: no test in ${file} begins with "${title}".`);
    return found.map(({ status }) => status);
  });
  if (statuses.includes('failed')) return 'FAILED';
  if (gone !== undefined) return `subject gone: ${gone}`;
  if (statuses.length === 0 && recipe === undefined) complain(`${id}: nothing shows it.`);
  if (statuses.length === 0) return 'by recipe';
  const skipped = statuses.filter((status) => status !== 'passed').length;
  if (skipped === 0) return 'passed';
  const reason = `skipped (${needs ?? 'the test says why'})`;
  return skipped === statuses.length ? reason : `passed, ${skipped} ${reason}`;
}

function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
