import { describe, expect, it } from 'vitest';
import { withExchangeTimes } from '../../../../src/domain/sessions/session-chunks.js';
import {
  exchangeHeading,
  readExchangeTime,
  readExchangeTimes,
  renderContinuation,
  renderExchange,
  renderSessionHead,
  sessionFileName,
  withEnd,
} from '../../../../src/domain/sessions/session-file.js';
import { groupExchanges, type Message } from '../../../../src/domain/sessions/transcript.js';

const AT = '2026-11-01T10:00:00.000Z';
const say = (text: string, role: Message['role'] = 'user'): Message => ({
  role,
  text,
  at: AT,
  keys: [],
});
const answer = (text: string) => say(text, 'assistant');

it.each([
  ['abc_D-1', '2026-11-01-abc_D-1'],
  ['a/b: c.md', '2026-11-01-a-b--c-md'],
  ['a'.repeat(81), `2026-11-01-${'a'.repeat(80)}`],
])('the file of the session %j is named %j', (session, name) => {
  expect(sessionFileName({ started: AT, session })).toBe(name);
});

describe('the head of a session file', () => {
  const description = { session: 's "1"', started: AT, ended: AT, title: 'Why?' } as const;

  it('is frontmatter, without a branch that is not known', () => {
    expect(renderSessionHead({ agent: 'claude', branch: 'main', ...description })).toBe(
      `---\nagent: "claude"\nsession: "s \\"1\\""\nbranch: "main"\nstarted: "${AT}"\nended: "${AT}"\ntitle: "Why?"\n---\n`,
    );
    expect(renderSessionHead({ agent: 'codex', ...description })).not.toContain('branch');
  });

  it('has no secrets in its title', () => {
    const title = 'use ghp_0123456789abcdefghijABCDEFGHIJ012345';
    expect(renderSessionHead({ agent: 'codex', ...description, title })).not.toContain('ghp_0');
  });

  it('gets a later end, unless a person removed the line', () => {
    const head = renderSessionHead({ agent: 'claude', ...description });
    const later = '2026-11-01T11:00:00.000Z';
    expect(withEnd(`${head}\nended: at last\n`, later)).toBe(
      `${head.replace(`ended: "${AT}"`, `ended: "${later}"`)}\nended: at last\n`,
    );
    const without = head.replace(/ended.*\n/, '');
    expect(withEnd(`${without}ended: at last\n`, later)).toBe(`${without}ended: at last\n`);
    expect(withEnd('x---\nended: at last\n', later)).toBe('x---\nended: at last\n');
  });
});

describe('an exchange', () => {
  it('is a section with its time, its prompts and its answers', () => {
    const prompts = [say(' Why do we lock?\r\nTell me. '), say('Briefly.')];
    const exchange = { prompts, answers: [answer('To wait.\rReally.'), answer('# Yes')] };
    expect(renderExchange(exchange)).toBe(
      `\n## Why do we lock?\n<!-- ${AT} -->\n\nWhy do we lock?\nTell me.\n\nBriefly.\n\nTo wait.\nReally.\n\n\\# Yes\n`,
    );
    expect(renderContinuation([answer('And more.')])).toBe('\nAnd more.\n');
    expect(renderContinuation([answer('<script>\rb')])).toBe('\n> <script>\n> b\n');
  });

  it('has no secrets, and no text of more than 200,000 characters', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const longest = 'a'.repeat(200_000);
    const rendered = renderContinuation([answer(`it is ${secret}`), answer(longest)]);
    expect(rendered).not.toContain(secret);
    expect(rendered).toContain(longest);
    expect(rendered).not.toContain('[cut]');
    expect(renderContinuation([answer(`${longest}b`)])).toBe(`\n${longest}\n\n[cut]\n`);
    const half = `${'a'.repeat(199_999)}😀`;
    expect(renderContinuation([answer(half)]).isWellFormed()).toBe(true);
  });

  it.each([
    [['\n--\n\n  Why   do\twe lock?\nB'], 'Why do we lock?'],
    [['## > # Locks  ##'], 'Locks'],
    [['C#'], 'C'],
    [['a # b'], 'a # b'],
    [['...', 'second'], 'second'],
    [['!?', '--'], 'Prompt'],
    [['日本語'], '日本語'],
    [['7'], '7'],
    [[], 'Prompt'],
    [['x'.repeat(80)], 'x'.repeat(80)],
    [['x'.repeat(81)], `${'x'.repeat(79)}…`],
    [[`${'x'.repeat(78)} y z`], `${'x'.repeat(78)}…`],
    [['😀'.repeat(40) + 'a'.repeat(41)], `${'😀'.repeat(40)}${'a'.repeat(39)}…`],
    [['use ghp_0123456789abcdefghijABCDEFGHIJ012345'], 'use [redacted]'],
  ])('of the prompts %j is headed %j', (prompts, heading) => {
    expect(exchangeHeading(prompts.map((text) => say(text)))).toBe(heading);
  });
});

describe('the time of an exchange', () => {
  it.each([
    [`<!-- ${AT} -->`, AT],
    [`   <!-- ${AT} --> \t`, AT],
    ['<!-- 2026-11-01T10:00:00Z -->', '2026-11-01T10:00:00Z'],
    [`    <!-- ${AT} -->`, undefined],
    [`x <!-- ${AT} -->`, undefined],
    [`<!-- ${AT} --> x`, undefined],
    ['<!-- 2026-11-01 -->', undefined],
  ])('is read from %j as %j', (line, time) => {
    expect(readExchangeTime(line)).toBe(time);
  });

  it('is read for all exchanges of a file, the latest last', () => {
    const later = '2026-11-02T10:00:00.000Z';
    const text = `## B\n<!-- ${later} -->\n\nText.\n\n## A\n<!-- ${AT} -->\n`;
    expect(readExchangeTimes(text)).toEqual([AT, later]);
    expect(readExchangeTimes('no times')).toEqual([]);
  });
});

describe('the chunks of a session file', () => {
  it('have the time of their exchange, which is not part of their text', () => {
    const chunks = [
      { content: 'Before.' },
      { heading: 'A', content: `<!-- ${AT} -->\n\nWhy?\nSo.` },
      { heading: 'A', content: 'More of it.' },
      { heading: 'A', content: '<!-- 2026-11-01T12:00:00Z -->\nAgain.' },
      { heading: 'B', content: 'A person removed the time.' },
    ];
    expect(withExchangeTimes(chunks)).toStrictEqual([
      { content: 'Before.' },
      { heading: 'A', content: 'Why?\nSo.', createdAt: AT },
      { heading: 'A', content: 'More of it.', createdAt: AT },
      { heading: 'A', content: 'Again.', createdAt: '2026-11-01T12:00:00Z' },
      { heading: 'B', content: 'A person removed the time.' },
    ]);
  });
});

it('exchanges are prompts with the answers to them; a prompt without one is left out', () => {
  const [early, one, two, three, last] = ['0', '1', '2', '3', '4'].map((text) => say(text));
  const [a, b, c] = ['a', 'b', 'c'].map(answer);
  const messages = [a, early, one, b, c, two, a, three, last].flatMap((message) => message ?? []);
  expect(groupExchanges(messages)).toEqual([
    { prompts: [early, one], answers: [b, c] },
    { prompts: [two], answers: [a] },
  ]);
  expect(groupExchanges([])).toEqual([]);
});
