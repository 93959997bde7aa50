import type { CitedPlace } from './cited-place.js';

/** A path and the line numbers at its end, if they are valid. */
export function withLines(named: string): CitedPlace {
  const found = LINES.exec(named);
  if (found === null) return { path: named };
  const path = named.slice(0, found.index);
  const from = Number(found[1] ?? found[3] ?? found[5]);
  const to = Number(found[2] ?? found[4] ?? found[6] ?? from);
  return from >= 1 && to >= from ? { path, lines: { from, to } } : { path };
}

const DASH = '(?:[-\\u2010-\\u2015]|\\.\\.)';
const COLUMN = '(?::\\d{1,7})?';

/** Lines at the end of a path, as editors, compilers and code hosts write them; columns are ignored. */
const LINES = new RegExp(
  [
    `(?::L?(\\d{1,7})${COLUMN}(?:${DASH}L?(\\d{1,7})${COLUMN})?`,
    `#L(\\d{1,7})(?:C\\d{1,7})?(?:${DASH}L?(\\d{1,7})(?:C\\d{1,7})?)?`,
    `\\((\\d{1,7})(?:${DASH}(\\d{1,7})|(?:[,:] ?\\d{1,7}(?:-\\d{1,7})?){1,3})?\\))$`,
  ].join('|'),
);

/** The rest of the lines at the end of a word, which contains a comma, a space, a long dash or an equals sign. */
export function restOfLines(word: string, after: string): string {
  if (/\(\d{1,7}$/.test(word)) return REST_IN_BRACKETS.exec(after)?.[0] ?? '';
  if (/\?[a-z]{1,20}$/.test(word)) return REST_OF_QUERY.exec(after)?.[0] ?? '';
  const range = /[:L]\d{1,7}$/.test(word) ? (REST.exec(after)?.[0] ?? '') : '';
  return range.replace(/^./, '-');
}

const REST_IN_BRACKETS = /^(?:, ?\d{1,7}(?:-\d{1,7})?){1,3}\)/;
const REST = /^[\u2012-\u2015]L?\d{1,7}(?!\d)/;

const REST_OF_QUERY = /^=\w{1,20}#L\d{1,7}(?:-L?\d{1,7})?/;

/** How long the rest can be. */
export const REST_MAX_CHARACTERS = 60;

/** Removes the name of a test or function after a file: `a_test.py::test_b`, `pool.ts:acquire()`. */
export function withoutSymbol(named: string): string {
  return named.replace(SYMBOL, '');
}

const SYMBOL = /(?<=\.[a-z][a-z0-9]{0,9}(?::\d{1,7})?):{1,2}(?!L\d)[a-z_][\w:.()<>~-]{0,100}$/i;
