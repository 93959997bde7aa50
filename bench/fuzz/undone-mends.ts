import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '../../test/support/running-service.js';
import { TempProject } from '../../test/support/temp-project.js';
import { HostileRun } from './hostile/hostile-run.js';
import { TestedService } from './hostile/tested-service.js';
import { MENDS, type Mend } from './mends.js';

/**
 * Undoes one mend at a time in a copy of this checkout, builds it, and uses hostile projects until they find the defect; see
 * bench/README.md.
 *
 *   npx tsx bench/fuzz/undone-mends.ts [words of a name …] [--runs N] [--seed S]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
  },
});
const chosen = MENDS.filter(({ name }) => positionals.every((word) => name.includes(word)));

const copy = new TempProject({});
for (const name of [
  'src',
  'scripts',
  'dist',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
])
  cpSync(join(CHECKOUT, name), copy.at(name), { recursive: true });
symlinkSync(join(CHECKOUT, 'node_modules'), copy.at('node_modules'));

const rows: Record<string, Awaited<ReturnType<typeof foundWithout>>> = {};
try {
  for (const mend of chosen) {
    rows[mend.name] = await foundWithout(mend);
    process.stdout.write(`${mend.name}: ${JSON.stringify(rows[mend.name])}\n`);
  }
} finally {
  copy.remove();
}
console.table(rows);
process.exitCode = Object.values(rows).every(({ found }) => found !== 'NOTHING') ? 0 : 1;

/** How many projects and seconds it took to see that the mend is missing. */
async function foundWithout({ file, from, to }: Mend) {
  const text = readFileSync(copy.at(file), 'utf8');
  writeFileSync(
    copy.at(file),
    text.replace(from, () => to),
  );
  build();
  const options = { runs: Number(values.runs), seed: Number(values.seed), mostFailures: 1 };
  const run = await HostileRun.make(options, (site) => TestedService.start(site, copy.path));
  const begin = performance.now();
  await run.run();
  const seconds = Math.round((performance.now() - begin) / 1000);
  writeFileSync(copy.at(file), text);
  return { projects: run.begun, seconds, found: (run.failures[0] ?? 'NOTHING').slice(0, 120) };
}

function build(): void {
  const run = (...parameters: string[]) =>
    execFileSync(process.execPath, parameters, { cwd: copy.path, stdio: 'inherit' });
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  run('scripts/bundle-command.mjs');
}
