import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A checkout as `npm ci --omit=dev` builds it: the bundler reads the sources, since there is no compiler. */
let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'without-compiler-'));
  for (const name of ['src', 'scripts', 'package.json']) {
    cpSync(name, join(checkout, name), { recursive: true });
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
});
afterAll(() => rmSync(checkout, { recursive: true }));

it('gives a command and a service that start', { timeout: 120_000 }, () => {
  const node = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      cwd: checkout,
      encoding: 'utf8',
      env: { ...process.env, PORT: 'none' },
    });
  const built = node('scripts/bundle-command.mjs', '--without-compiler');
  expect([built.status, built.stderr]).toEqual([0, '']);
  const { stdout, stderr } = node('dist/cli.js', '--version');
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\n$/), '']);
  expect(node('dist/main.js').stderr).toContain('PORT must be a whole number');
});
