import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkMarkdownFile } from '../../src/domain/chunks/chunking.js';
import { estimateTokens } from '../../src/domain/text.js';
import { runs } from '../support/seed.js';

const word = fc.stringMatching(/^[a-zé0-9]{1,6}[.!?,]?$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const heading = fc
  .tuple(fc.constantFrom('# ', '## ', '## ', '### ', '#### '), fc.oneof(sentence, fc.constant('')))
  .map(([signs, text]) => signs + text);
const longHeading = fc
  .array(word, { minLength: 100, maxLength: 400 })
  .map((words) => `## ${words.join(' ')}`);
const block = fc.oneof(
  { weight: 5, arbitrary: sentence },
  { weight: 3, arbitrary: fc.constantFrom('', '', '  ', '\t') },
  { weight: 3, arbitrary: heading },
  { weight: 1, arbitrary: longHeading },
  {
    weight: 1,
    arbitrary: fc.constantFrom('```', '~~~', '````js', '    ## indented', '##none', '#'),
  },
  {
    weight: 1,
    arbitrary: fc.array(sentence, { minLength: 20, maxLength: 60 }).map((s) => s.join(' ')),
  },
);
const lines = fc.array(block, { maxLength: 40 });
const body = lines.map((all) => all.join('\n'));
const maxTokens = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(100, 500));

describe('chunkMarkdownFile, for any markdown', () => {
  it('loses no word except those of a lone title, and keeps their order', () => {
    fc.assert(
      fc.property(body, maxTokens, (text, limit) => {
        const kept = wordsOf(
          chunk(text, limit)
            .flatMap((c) => [c.heading ?? '', c.content])
            .join('\n'),
        );
        const withoutTitle = text.replace(/^\s*# .*/, '');
        expect(
          isSubsequence(wordsOf(text), kept) || isSubsequence(wordsOf(withoutTitle), kept),
        ).toBe(true);
        const words = new Set(wordsOf(text));
        expect(kept.filter((w) => !words.has(w))).toEqual([]);
      }),
      runs(300),
    );
  });

  it('numbers its chunks from 0; none is blank, or above a limit of two words or more', () => {
    fc.assert(
      fc.property(body, maxTokens, (text, limit) => {
        const chunks = chunk(text, limit);
        expect(chunks.map((c) => c.chunkIndex)).toEqual(chunks.map((_, i) => i));
        for (const { heading: own = '', content } of chunks) {
          const tokens = estimateTokens(`${own}\n${content}`);
          expect(tokens).toBeLessThanOrEqual(Math.max(limit, estimateTokens('two words')));
          expect(own + content).not.toBe('');
          expect(own).toBe(own.trim());
          expect(content).toBe(content.trimEnd());
        }
      }),
      runs(300),
    );
  });

  it('creates one chunk per short section, under its heading', () => {
    const section = fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), sentence);
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 8 }), (sections) => {
        const text = sections.map(([name, content]) => `## ${name}\n\n${content}\n`).join('\n');
        expect(chunk(text, 500).map((c) => [c.heading, c.content])).toEqual(sections);
      }),
      runs(200),
    );
  });

  it('does not depend on line ends or a byte-order mark', () => {
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('\r\n', '\r'),
        fc.constantFrom('', '\uFEFF'),
        (text, end, mark) => {
          expect(chunk(mark + text.replaceAll('\n', end), 100)).toEqual(chunk(text, 100));
        },
      ),
      runs(200),
    );
  });

  it('never takes a line inside a code fence for a heading', () => {
    const fence = fc.constantFrom(
      ['```', '```'],
      ['````md', '````'],
      ['~~~', '~~~~'],
      ['```js', '```  '],
    );
    const inside = fc.array(
      fc.constantFrom('## fenced', '# fenced', '', '``', '~~', '``` fenced', 'fenced'),
    );
    const code = fc.tuple(fence, inside).map(([[open, close], all]) => [open, ...all, close]);
    fc.assert(
      fc.property(fc.array(fc.oneof(code, fc.constant(['## free', 'text']))), (blocks) => {
        const chunks = chunk(blocks.flat().join('\n'), 500);
        for (const { heading: own } of chunks) expect(own ?? '').not.toContain('fenced');
      }),
      runs(300),
    );
  });

  it('cuts words too long for any search, and loses none of their characters', () => {
    const enormous = fc.integer({ min: 7990, max: 20_000 }).map((length) => '語'.repeat(length));
    fc.assert(
      fc.property(fc.array(fc.oneof(enormous, word), { minLength: 1, maxLength: 4 }), (words) => {
        const chunks = chunk(`## x\n${words.join(' ')}`, 500);
        for (const { content } of chunks) expect(content.length).toBeLessThan(8000);
        expect(
          chunks
            .map((c) => c.content)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(words.join(''));
      }),
      runs(30),
    );
  });

  it('finishes with texts that are made to be slow', () => {
    const many = 100_000;
    const ends = ['\n', '\r', '## \n', '~~~\n', '---\n', 'a\n\n'];
    const signs = ['# ', '. ', 'a ', '* ', '> ', '- ', '|-', '| a |\n', 'data:', '<!-- ', '1. '];
    const slow = [...'#`. "-|:', ...signs, ...ends];
    for (const unit of slow) {
      for (const end of ['', 'x', '\n## x']) chunk(unit.repeat(many / unit.length) + end, 500);
    }
  });
});

function chunk(text: string, limit: number) {
  return chunkMarkdownFile(text, { parseYaml: () => undefined, maxTokens: limit });
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isSubsequence(words: readonly string[], within: readonly string[]): boolean {
  let next = 0;
  for (const candidate of within) if (candidate === words[next]) next += 1;
  return next === words.length;
}
