import { expect, it } from 'vitest';
import { ALSO_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import {
  addWords,
  anyInformativeWord,
  anyWordOrPart,
  readQuery,
  splitWords,
  usedAlso,
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

it.each([
  ['many users send e mails to other teams', 'emails'],
  ['many users send e ma to other teams', ''],
  ['large limits of 10 000 rows for tables', '10000'],
  ['large limits of 10 00 rows for tables', ''],
  ['large limits of 10 0001 rows for tables', '0 001'],
])('of the many words of %j, only two halves of a word are joined: %j', (text, joined) => {
  const words = splitWords(text);
  const added = textsOf(anyWordOrPart(words)).replace(textsOf(anyInformativeWord(words)), '');
  expect(added.trim()).toBe(joined);
});

it.each([
  [undefined, ''],
  [' ', ''],
  ['  busy, retry ', 'busy, retry'],
  [`${'x'.repeat(ALSO_MAX_CHARACTERS - 1)} yz`, 'x'.repeat(ALSO_MAX_CHARACTERS - 1)],
  ['x'.repeat(ALSO_MAX_CHARACTERS + 1), 'x'.repeat(ALSO_MAX_CHARACTERS)],
])('of the question in other words %j, %j is used', (also, used) => {
  expect(usedAlso(also)).toBe(used);
});

function textsOf(expression: ReturnType<typeof anyWordOrPart>): string {
  const operands = expression?.kind === 'or' ? expression.operands : [];
  return operands
    .flatMap((one) => (one.kind === 'terms' ? one.terms : []))
    .map(({ text }) => text)
    .join(' ');
}
