import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('the package', () => {
  it('depends on packages of the registry alone', () => {
    const { dependencies, optionalDependencies } = PACKAGE;
    const wanted = Object.values({ ...dependencies, ...optionalDependencies });
    expect(wanted.join()).not.toMatch(/file:|link:|git|http/);
  });

  it('brings the model runner with the stand-ins for its native modules', () => {
    expect(PACKAGE.bundleDependencies).toEqual(['@xenova/transformers']);
    for (const standIn of ['sharp', 'onnxruntime-node']) {
      const path = join(ROOT, 'node_modules', standIn, 'package.json');
      expect(JSON.parse(readFileSync(path, 'utf8')).description).toMatch(/^Stands in for/);
    }
  });

  it('has a source for every entry, and one command', () => {
    const entries = Object.values(PACKAGE.exports).map((entry) => Object(entry).default ?? entry);
    const built = [...entries, ...Object.values(PACKAGE.bin)].map(String);
    expect(Object.keys(PACKAGE.bin)).toEqual(['knowledge-store']);
    for (const path of built.filter((path) => path.endsWith('.js'))) {
      const source = path.replace(/^\.\/dist\/(bundle\/)?/, 'src/').replace(/\.js$/, '.ts');
      expect(existsSync(join(ROOT, source)), source).toBe(true);
    }
  });

  it('is built after `npm ci --omit=dev` with every package that the console imports', () => {
    const script = readFileSync(join(ROOT, 'scripts/build-after-install.mjs'), 'utf8');
    const tools = /const TOOLS = \[(.*)\]/.exec(script)?.[1] ?? '';
    const files = readdirSync(join(ROOT, 'console'), { recursive: true }).map(String);
    const imported = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, 'console', file), 'utf8').matchAll(
          /(?:from|import\() ?'([^.'/][^'/]*)'/g,
        ),
      ])
      .map(([, name = '']) => name);
    expect(imported).toContain('preact');
    const missing = [...new Set(imported)].filter((name) => name in PACKAGE.devDependencies);
    for (const name of missing) expect(tools).toContain(`'${name}'`);
  });

  it('has a license and a changelog of its version', () => {
    expect(existsSync(join(ROOT, 'LICENSE'))).toBe(true);
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`\n## ${PACKAGE.version}`);
  });
});

const RATING = spawnSync(
  'systemd-analyze',
  ['security', '--offline=true', join(ROOT, 'deploy/knowledge-store.service')],
  { encoding: 'utf8' },
).stdout;

it.skipIf(!RATING)('the unit of systemd exposes little: less than 4 of 10', () => {
  const [, level] = /Overall exposure level .*: ([\d.]+)/.exec(RATING) ?? [];
  expect(Number(level)).toBeLessThan(4);
});
