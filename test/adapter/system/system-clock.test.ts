import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** What a process that has nothing else to do prints before it ends, and its exit code. */
async function runScript(script: string): Promise<{ readonly out: string; readonly code: number }> {
  const preamble = `
    import { systemClock } from './src/adapters/system/system-clock.ts';
    import { withTimeout } from './src/shared/concurrency.ts';
  `;
  const args = ['--import', 'tsx', '--input-type=module', '-e', preamble + script];
  try {
    const { stdout } = await run(process.execPath, args);
    return { out: stdout.trim(), code: 0 };
  } catch (error) {
    const { stdout, code } = error as { stdout: string; code: number };
    return { out: stdout.trim(), code };
  }
}

describe('a process whose only pending work waits on the clock', () => {
  it.each([
    ['a pause', 'await systemClock.sleep(20); console.log("done")'],
    [
      'several pauses in a row',
      'for (let i = 0; i < 3; i += 1) await systemClock.sleep(10); console.log("done")',
    ],
    [
      'work with a time limit',
      `const work = new Promise((resolve) => setTimeout(resolve, 20).unref());
       await withTimeout(systemClock, 1_000, () => work); console.log("done")`,
    ],
    [
      'a time limit that passes',
      'await withTimeout(systemClock, 20, () => new Promise(() => {})); console.log("done")',
    ],
  ])('stays alive during %s', async (_, script) => {
    expect(await runScript(script)).toEqual({ out: 'done', code: 0 });
  });

  it('ends during a pause of background work', async () => {
    const script = 'void systemClock.sleep(60_000, new AbortController().signal)';
    expect(await runScript(script)).toEqual({ out: '', code: 0 });
  });
});
