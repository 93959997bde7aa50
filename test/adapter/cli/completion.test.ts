import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';

const line = new CommandLine({ directory: tmpdir() });

describe('completion', () => {
  it.each([
    ['ser', ['serve']],
    ['note |', ['add', 'replace', 'delete']],
    ['note a', ['add']],
    ['completion |', ['bash', 'zsh', 'fish']],
    ['search --fusion |', ['rrf', 'blend']],
    ['search --max', ['--max-results', '--max-tokens']],
    ['note add x --f', ['--force']],
    ['search note |', []],
    ['search --max-results |', []],
  ])('of "%s" offers %j', async (text, expected) => {
    const words = text.split(' ').map((word) => word.replace('|', ''));
    const { out } = await line.run('completion', 'bash', '--reply', '--', ...words);
    expect([...out.matchAll(/^(.+?)\t/gm)].map(([, word]) => word)).toEqual(expected);
  });

  it('works in bash', async () => {
    const { out: script } = await line.run('completion', 'bash');
    const printed = execFileSync('bash', ['--norc'], {
      input: `${PROGRAM}${script}\nCOMP_WORDS=(knowledge-store note a); COMP_CWORD=2; _knowledge_store\necho "\${COMPREPLY[@]}"\n`,
      encoding: 'utf8',
    });
    expect(printed).toBe('completion bash --reply -- note a\n');
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const { out } = await line.run('completion', shell);
    expect(out).toContain(`knowledge-store completion ${shell} --reply -- `);
  });

  it('knows no other shell', async () => {
    const { code, err } = await line.run('completion', 'tcsh');
    expect(code).toBe(2);
    expect(err).toContain('The shell must be one of bash, zsh, fish');
  });
});

/** Instead of the real one: says how it was called, as one reply. */
const PROGRAM = 'knowledge-store() { printf "%s\\tsummary\\n" "$*"; }\n';
