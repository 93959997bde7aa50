import { parentPort } from 'node:worker_threads';

/** For each expression it receives, posts a text that makes it slow, if any: one with a long run of something. */
parentPort.on('message', (expression) => parentPort.postMessage(slowText(expression)));

const RUNS = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '=',
    'a',
    'A',
    '0',
    '-',
    '_',
    '.',
    '/',
    '`',
    '#',
    '(',
    ')',
    '[',
    ']',
  ],
  ...[
    '<',
    '>',
    '|',
    ':',
    ',',
    '"',
    "'",
    '*',
    '~',
    '\\',
    '@',
    '$',
    '{',
    '!',
    '?',
    '%',
    '&',
    '+',
    ';',
  ],
  ...['é', '中', '。', '\u200b', '\u2028', '\u001b', '\ud800', 'aA', 'a.', 'a-', 'a/', '- ', 'a '],
  ...[' \n', 'a\n', '](', '[a', '<a', 'a,', 'a:', '0.', '[]', '()', '../', 'a=', ' -', 'a b'],
  ...['--', '\n ', '<!--', 'data:', ' #', '|-', '---\n', '""', 'a(', '{a', '${', '**'],
];
const BEGINNINGS = ['', 'a', '---\na', '[', '"', '# a', '<', '`', '0'];
const ENDS = ['', 'a', '! y\n\u0000'];

const SHORT = 1_500;
const LONG = 20_000;
/**
 * A linear expression takes about 0.02 ms for a short text and 0.5 ms for a long one; a quadratic one takes 2 ms and
 * 300 ms.
 */
const SUSPICIOUS_MS = 0.5;
const SLOW_MS = 60;

function slowText({ source, flags }) {
  const expression = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  for (const run of RUNS) {
    for (const beginning of BEGINNINGS) {
      for (const end of ENDS) {
        const textOf = (length) => beginning + run.repeat(length / run.length) + end;
        const isSuspicious = millisecondsFor(expression, textOf(SHORT)) > SUSPICIOUS_MS;
        if (isSuspicious && isSlow(expression, textOf(LONG))) {
          return JSON.stringify([beginning, run, end]);
        }
      }
    }
  }
  return undefined;
}

function isSlow(expression, text) {
  return [1, 2, 3].every(() => millisecondsFor(expression, text) > SLOW_MS);
}

function millisecondsFor(expression, text) {
  const begin = performance.now();
  expression.lastIndex = 0;
  if (expression.sticky) expression.test(text);
  else text.replace(expression, '');
  return performance.now() - begin;
}
