import { expect, it } from 'vitest';
import {
  addWords,
  anyInformativeWord,
  anyWordOrPart,
  readQuery,
} from '../../../src/domain/query/query.js';

it('the words of another text are added to a query of words', () => {
  expect(addWords(readQuery('write lock'), '"busy" AND retry')).toEqual({
    kind: 'plain',
    words: ['write', 'lock', 'busy', 'AND', 'retry'],
  });
});

it('an expression is unchanged; if it looks like a sentence, words are added to its words', () => {
  const expression = readQuery('"write lock" OR busy');
  expect(addWords(expression, 'retry')).toBe(expression);
  const sentence = readQuery('why is "write lock" slow');
  expect(addWords(sentence, 'retry')).toEqual({
    ...sentence,
    plainFallback: { kind: 'plain', words: ['why', 'is', 'write', 'lock', 'slow', 'retry'] },
  });
});

it.each([
  [
    'a name that begins with a capital and ends in capitals has no parts',
    'PostgreSQL',
    'PostgreSQL',
  ],
  ['on, off, up and out are joined with other words', 'log out', 'log logout'],
  ['other stop words are not joined', 'about once page', 'page'],
])('%s', (_, text, expected) => {
  expect(textsOf(anyWordOrPart(text.split(' ')))).toBe(expected);
});

it('ß and ss are different letters', () => {
  expect(textsOf(anyInformativeWord(['Maße', 'Masse']))).toBe('Maße Masse');
});

function textsOf(expression: ReturnType<typeof anyWordOrPart>): string {
  const operands = expression?.kind === 'or' ? expression.operands : [];
  return operands
    .flatMap((one) => (one.kind === 'terms' ? one.terms : []))
    .map(({ text }) => text)
    .join(' ');
}
