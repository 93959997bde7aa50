import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';

const line = new CommandLine({ directory: tmpdir() });
const scriptFor = async (shell: string) => (await line.run('completion', shell)).out;

describe('completion in bash', () => {
  let replies: ReadonlyMap<string, readonly string[]>;
  const CASES: readonly (readonly [words: string, replies: readonly string[]])[] = [
    ['knowledge-store se', ['search', 'serve']],
    ['knowledge-store note ', ['add', 'replace', 'delete']],
    ['knowledge-store note a', ['add']],
    ['knowledge-store completion ', ['bash', 'zsh', 'fish']],
    ['knowledge-store search --fusion ', ['rrf', 'blend']],
    ['knowledge-store search --max', ['--max-results', '--max-tokens']],
    ['knowledge-store note add x --f', ['--force']],
    ['knowledge-store search note ', []],
    ['knowledge-store stats -p /et', ['/etc']],
    ['knowledge-store search --max-results ', []],
  ];

  beforeAll(async () => {
    const script = await scriptFor('bash');
    const calls = CASES.map(([words]) => `reply ${words.replace(/ $/, " ''")}`);
    const lines = execFileSync('bash', ['--norc'], {
      input: `${script}${REPLY}${calls.join('\n')}\n`,
      encoding: 'utf8',
    }).split('\n');
    replies = new Map(
      CASES.map(([words], i) => [words, (lines[i] ?? '').split(' ').filter(Boolean)]),
    );
  });

  it.each(CASES)('of "%s" offers %j', (words, expected) => {
    expect(replies.get(words)).toEqual(expected);
  });
});

/** What bash does when somebody presses Tab. */
const REPLY = `
reply() {
  COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
  _knowledge_store
  echo "\${COMPREPLY[@]}"
}
`;

describe.each(['bash', 'zsh', 'fish'])('the script for %s', (shell) => {
  it('has every command and every option of it', async () => {
    const script = await scriptFor(shell);
    for (const command of await commandsIn('')) {
      expect(script).toMatch(new RegExp(`\\b${command}\\b`));
      const { out } = await line.run(command, '--help');
      for (const [, option] of out.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)) {
        expect(script, `${command} --${option}`).toContain(option);
      }
    }
  });
});

it('knows no other shell', async () => {
  const { code, err } = await line.run('completion', 'tcsh');
  expect(code).toBe(2);
  expect(err).toContain('Allowed choices are bash, zsh, fish');
});

async function commandsIn(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await line.run(...words.filter(Boolean), '--help');
  return [...out.matchAll(/^ {2}([a-z]+) .*? {2,}(\S.*)$/gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
}
