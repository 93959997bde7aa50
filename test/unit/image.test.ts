import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** The patterns of `.dockerignore` that let a file through. */
async function readContextPatterns(): Promise<readonly string[]> {
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

/** The environment without the settings that a parent npm passes on. */
function withoutNpm(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return Object.fromEntries(entries);
}

describe('the Docker image', () => {
  let context: string;

  beforeAll(async () => {
    context = await mkdtemp(join(tmpdir(), 'image-'));
    const { stdout } = await run('git', ['ls-files', '--', ...(await readContextPatterns())]);
    const files = stdout.trim().split('\n');
    for (const file of files) await cp(file, join(context, file));
  });
  afterAll(() => rm(context, { recursive: true }));

  it('is built from files whose lockfile npm accepts', async () => {
    const args = ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'];
    await expect(run('npm', args, { cwd: context, env: withoutNpm() })).resolves.toBeDefined();
  });

  it.each(['tsconfig.build.json', 'scripts/bundle-command.mjs', 'scripts/trim-bundle.mjs'])(
    'has %s, which the build needs',
    async (file) => {
      await expect(readFile(join(context, file))).resolves.toBeDefined();
    },
  );
});
