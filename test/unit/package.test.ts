import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('the package', () => {
  it('depends on packages of the registry alone', () => {
    expect(Object.values(PACKAGE.dependencies).join()).not.toMatch(/file:|link:|git|http/);
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
      const source = path.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
      expect(existsSync(join(ROOT, source)), source).toBe(true);
    }
  });

  it('has a license and a changelog of its version', () => {
    expect(existsSync(join(ROOT, 'LICENSE'))).toBe(true);
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`\n## ${PACKAGE.version}`);
  });
});

it('compiles native packages without the hooks of node::ObjectWrap', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gyp-'));
  const npm_config_node_gyp = join(directory, 'gyp.cjs');
  writeFileSync(npm_config_node_gyp, 'console.log(process.env.CXXFLAGS)');
  const env = { ...process.env, npm_config_node_gyp, CXXFLAGS: '-O2' };
  const flags = execFileSync(process.execPath, [join(ROOT, 'vendor/node-gyp/node-gyp.js')], {
    encoding: 'utf8',
    env,
  });
  rmSync(directory, { recursive: true });
  const [, header = ''] = /^-O2 -include "(.+)"\n$/.exec(flags) ?? [];
  expect(readFileSync(header, 'utf8')).toContain('RemoveEnvironmentCleanupHook');
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
