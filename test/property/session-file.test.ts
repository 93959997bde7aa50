import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLines } from '../../src/domain/chunks/markdown.js';
import { containMarkdown } from '../../src/domain/sessions/contained-markdown.js';
import {
  exchangeHeading,
  readExchangeTime,
  renderExchange,
  renderSessionHead,
} from '../../src/domain/sessions/session-file.js';
import type { Exchange, Message } from '../../src/domain/sessions/transcript.js';
import { runs } from '../support/seed.js';

/** Lines that open, close or look like blocks of Markdown. */
const line = fc.oneof(
  fc.constantFrom(
    ...['## Next', '# Top', '  ## Next ##', '> ## Quoted', '- ## Listed', '---', '===', '- -'],
    ...['```', '~~~~', '```sh', '> ```', '- ```', '1. ~~~', '    ## code', '\t## code'],
    ...['<!--', '-->', '<pre>', '</pre>', '<script>', '<div>', '<?php', '<![CDATA[', '<!DOCTYPE'],
    ...['', ' ', 'words', 'more words', '| a | b |', '|---|---|', '[x]: y', '{/*', '*/}', '\u2028'],
    ...['agent: other', 'title: x', '<<<<<<< HEAD', '## ', '#', '##', '\\## x', '## <!-- x -->'],
  ),
  fc.string({ unit: fc.constantFrom(...'#-=`~<>!/ \t\\|*_[]{}()a1'), maxLength: 12 }),
);
const text = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((lines) => `x\n${lines.join('\n')}`);
const message = (role: Message['role']): fc.Arbitrary<Message> =>
  text.map((said) => ({ role, text: said, at: '2026-11-01T10:00:00.000Z', keys: [] }));
const exchange: fc.Arbitrary<Exchange> = fc.record({
  prompts: fc.array(message('user'), { minLength: 1, maxLength: 2 }),
  answers: fc.array(message('assistant'), { minLength: 1, maxLength: 2 }),
});

const HEAD = renderSessionHead({
  agent: 'claude',
  session: 's',
  started: '2026-11-01T10:00:00.000Z',
  ended: '2026-11-01T10:00:00.000Z',
  title: 'A session',
});

describe('a session file', () => {
  it('has exactly one section per exchange, for any messages', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 4 }), (exchanges) => {
        const body = exchanges.map(renderExchange).join('');
        const headings = parseLines(body).filter(
          ({ headingLevel: level }) => level === 1 || level === 2,
        );
        expect(headings.map(({ text }) => text)).toEqual(
          exchanges.map(({ prompts }) => `## ${exchangeHeading(prompts)}`),
        );
      }),
      runs(2_000),
    );
  });

  it('keeps its frontmatter, for any messages', () => {
    fc.assert(
      fc.property(exchange, (one) => {
        const file = HEAD + renderExchange(one);
        expect(file.startsWith(HEAD)).toBe(true);
        expect(file.slice(HEAD.length)).toMatch(/^\n## /);
      }),
    );
  });

  it('has the time of an exchange below its heading, and at no other place that counts', () => {
    fc.assert(
      fc.property(exchange, (one) => {
        const [, , comment = ''] = renderExchange(one).split('\n');
        expect(readExchangeTime(comment)).toBe('2026-11-01T10:00:00.000Z');
      }),
    );
  });
});

describe('contained Markdown', () => {
  it('is unchanged if nothing in it could end a section', () => {
    const sound =
      'Run it:\n\n```sh\n# a comment\n## another\n---\n```\n\n### Third level\n\n- a\n- b';
    expect(containMarkdown(sound)).toBe(sound);
  });

  it.each([
    ['# Top', '\\# Top'],
    ['## Next ##', '\\## Next ##'],
    ['words\n---', 'words\n\\---'],
    ['words\n===', 'words\n\\==='],
    ['```\ncode', '```\ncode\n```'],
    ['~~~~\n```', '~~~~\n```\n~~~~'],
    ['<!-- open', '<!-- open\n-->'],
  ])('%j becomes %j', (before, after) => {
    expect(containMarkdown(before)).toBe(after);
  });

  it('is the same after a second time', () => {
    fc.assert(
      fc.property(text, (said) => {
        const once = containMarkdown(said);
        expect(containMarkdown(once)).toBe(once);
      }),
    );
  });
});
