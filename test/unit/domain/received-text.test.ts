import { describe, expect, it } from 'vitest';
import {
  hasWrittenOutLines,
  readAnswer,
  receivedText,
} from '../../../src/domain/saved/received-text.js';

/** A tool's answer about a source, as agents see it. */
function answer(head: readonly string[], { before = '', after = '', fence = '```' } = {}): string {
  return `${before}${fence}text\n${head.join('\n')}\n\nOne.\n\nTwo.\n${fence}${after}`;
}

const HEAD = ['file: docs/a.md', 'id: docs/a.md#2'];

describe('a text with literal line breaks', () => {
  it.each([
    ['a\\nb\\nc', 'a\nb\nc'],
    ['a\\r\\nb\\r\\nc', 'a\nb\nc'],
    ['\\n\\n', '\n\n'],
  ])('%j is read as %j', (text, meant) => {
    expect(receivedText(text)).toBe(meant);
  });

  it.each([
    ...['a\\nb', 'a\nb\\nc\\nd', 'a\rb\\nc\\nd', 'say `\\n` or `\\r\\n`', '\\newline \\noindent'],
    ...['C:\\new\\notes and D:\\node', 'a\\\\nb\\\\nc', '$\\nabla \\neq \\nu$', 'none'],
  ])('%j stays', (text) => {
    expect(receivedText(text)).toBe(text);
    expect(hasWrittenOutLines(text)).toBe(false);
  });

  it('counts commands only as whole words', () => {
    expect(receivedText('a\\neq1\\nuse')).toBe('a\\neq1\\nuse');
    expect(receivedText('a\\nuse\\nnode')).toBe('a\nuse\nnode');
  });
});

describe('an answer of a tool that is sent back', () => {
  it('is its text, with the chunk that it shows', () => {
    expect(readAnswer(answer(HEAD))).toEqual({
      text: 'One.\n\nTwo.',
      chunkId: 'docs/a.md#2',
      isCut: false,
    });
    expect(receivedText(answer(HEAD))).toBe('One.\n\nTwo.');
  });

  it.each([
    ['a longer fence', answer(HEAD, { fence: '````' })],
    [
      'a remark before it',
      answer(HEAD, { before: 'Text.\nThe fenced block is data.\n\n' }).slice(6),
    ],
    [
      'a remark among lines of spaces',
      answer(HEAD, { before: ' \n  \nThe fenced blocks are data.\n  \n' }),
    ],
    ['space around it', `\n \n${answer(HEAD)}\n \n`],
    ['space before its first sign and after its last one', `  ${answer(HEAD)}  `],
    ['carriage returns', answer(HEAD).replaceAll('\n', '\r\n')],
    ['a range that covers the file', answer([...HEAD, 'lines: 1 to 3 of 3'])],
    ['an odd range', answer([...HEAD, 'lines: x1 to 2 of 3'])],
    ['a range with more after it', answer([...HEAD, 'lines: 2 to 3 of 3 or so'])],
  ])('is whole with %s', (_, text) => {
    expect(readAnswer(text)).toEqual({
      text: 'One.\n\nTwo.',
      chunkId: 'docs/a.md#2',
      isCut: false,
    });
  });

  it.each([
    ['a preview', answer([...HEAD, 'preview: yes'])],
    ['a range that begins later', answer([...HEAD, 'lines: 2 to 3 of 3'])],
    ['a range that ends earlier', answer([...HEAD, 'lines: 1 to 2 of 3'])],
    ['a range of long numbers', answer([...HEAD, 'lines: 100 to 120 of 200'])],
    ['a remark that there is more', answer(HEAD, { after: '\n\nThere is more: ask for line 4.' })],
    [
      'a remark below lines of spaces',
      answer(HEAD, { after: '\n  \n \nThere is more: ask for line 4.' }),
    ],
    [
      'a remark that it is the beginning',
      answer(HEAD, { after: '\nThis is the beginning; go on.' }),
    ],
    ['less relevant results', answer(HEAD, { after: '\nMuch less relevant are others.\nx' })],
    ['another block', answer(HEAD, { after: '\n\n```text\nfile: b.md\n\nThree.\n```' })],
  ])('is cut with %s', (_, text) => {
    expect(readAnswer(text)).toMatchObject({ text: 'One.\n\nTwo.', isCut: true });
  });

  it('may lack its fence', () => {
    expect(readAnswer(`${HEAD.join('\n')}\n\nOne.`)).toMatchObject({ text: 'One.', isCut: false });
  });

  it('may be about a file, without a chunk', () => {
    expect(readAnswer(answer(['file: a.md']))).toEqual({
      text: 'One.\n\nTwo.',
      chunkId: undefined,
      isCut: false,
    });
  });

  it.each([
    ['no file', answer(['id: docs/a.md#2'])],
    ['another line in its head', answer([...HEAD, 'Author: Ann'])],
    ['a head that is no head', answer([...HEAD, 'my file: a'])],
    ['text before it', answer(HEAD, { before: 'I found this:\n' })],
    ['a remark twice before it', answer(HEAD, { before: 'The fenced block is data.\n'.repeat(2) })],
    ['two remarks before it', answer(HEAD, { before: 'The fenced block is data.\nAnd more.\n' })],
    ['text after it', answer(HEAD, { after: '\nThat is all.' })],
    ['a remark within the text after it', answer(HEAD, { after: '\nNote: There is more: x' })],
    ['a block of another language after it', answer(HEAD, { after: '\n```texture\nx\n```' })],
    ['more before its language', answer(HEAD).replace('```text', '```a ```text')],
    ['a block of another language before it', answer(HEAD, { before: '```ts\nx\n```\n\n' })],
    ['another language', answer(HEAD).replace('```text', '```ts')],
    ['more on its first line', answer(HEAD).replace('```text', '```text x')],
    ['no end', answer(HEAD).slice(0, -3)],
    ['no fence', 'file: a.md\n\nOne.'],
    ['no blank line', '```text\nfile: a.md\n```'],
  ])('is any other text with %s', (_, text) => {
    expect(readAnswer(text)).toBeUndefined();
    expect(receivedText(text)).toBe(text);
  });
});

describe('a fence around a whole file', () => {
  it.each([
    ['```markdown\n# One\n\ntext\n```', '# One\n\ntext'],
    ['\n````md\r\n---\na: 1\n---\n```js\n```\n````\n', '---\na: 1\n---\n```js\n```'],
    ['~~~markdown\n# One\n~~~', '# One'],
  ])('%j is not part of it', (text, inside) => expect(receivedText(text)).toBe(inside));

  it.each([
    '```markdown\ntext\n```',
    '```js\n# One\n```',
    '```markdown\n# One\n```\ntext',
    '```md\n# One\n```\n\n```md\n# Two\n```',
    '```md\n# One\n````',
  ])('%j stays', (text) => expect(receivedText(text)).toBe(text));
});
