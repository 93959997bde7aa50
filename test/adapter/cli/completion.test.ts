import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CommandLine } from '../../support/command-line.js';

const line = new CommandLine({ directory: tmpdir() });
afterEach(() => vi.unstubAllEnvs());

describe('completion', () => {
  it.each([
    ['ser', ['serve']],
    ['note ', ['add', 'replace', 'delete']],
    ['note a', ['add']],
    ['connect c', ['claude', 'cursor', 'codex']],
    ['search --fusion ', ['rrf', 'blend']],
    ['search --max', ['--max-results', '--max-tokens']],
    ['note add x --f', ['--force']],
    ['search note ', []],
    ['search --max-results ', []],
  ])('of "%s" offers %j', async (text, expected) => {
    vi.stubEnv('COMP_LINE', `knowledge-store ${text}`);
    const { code, out } = await line.run('completion', 'knowledge-store', 'word', 'before');
    expect([code, out.split('\n').filter(Boolean)]).toEqual([0, expected]);
  });
});
