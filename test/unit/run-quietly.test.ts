import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** What an installation shows of a compiler that prints a line and then ends with an exit code. */
function compile(exitCode: number, everyMs = 30_000): { status: number | null; shown: string } {
  const compiler = `console.error("a.c: warning"); setTimeout(() => process.exit(${exitCode}), 300)`;
  const script = `require('./vendor/sharp/run-quietly.js')(process.execPath, ['-e', ${JSON.stringify(compiler)}],
    { everyMs: ${everyMs} }).then((status) => process.exit(status))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { status, shown: stderr };
}

it('does not show what a compiler prints that succeeds', () => {
  const { status, shown } = compile(0);
  expect(status).toBe(0);
  expect(shown).toMatch(/^SQLite is compiled \(\d+ s\)\.\n$/);
});

it('shows it if the compiler fails', () => {
  const { status, shown } = compile(3);
  expect(status).toBe(3);
  expect(shown).toBe('a.c: warning\n\nSQLite could not be compiled.\n');
});

it('says now and then that it goes on', () => {
  expect(compile(0, 100).shown).toContain('Still compiling SQLite (0 s).');
});
