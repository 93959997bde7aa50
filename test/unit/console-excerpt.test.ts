import { expect, test } from 'vitest';
import { plainText } from '../../console/lab/plain-text.js';

test.each([
  ['joins the lines of a paragraph', 'one\ntwo\n\nthree', 'one two\n\nthree'],
  ['joins the lines of a list item', '- one\n  two\n- three', '- one two\n- three'],
  ['removes the signs of headings, stress and code', '## A\n**b** *c*\n`d`', 'A\nb c d'],
  ['keeps stars that mean something else', '2 * 3 * 4, a*b*c', '2 * 3 * 4, a*b*c'],
  ['keeps tables', '| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ['keeps code', '```\n*a*\n  b\n```', '```\n*a*\n  b\n```'],
])('the excerpt of a result %s', (_, markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
