/**
 * A pattern of a `.gitignore` without classes such as `[[:digit:]]`, whose negated sets, such as `[!a-c]`, are written
 * as the ranges that remain, because the package `ignore` reads negated sets inside out. Undefined for a set that
 * cannot be written that way.
 */
export function withoutNegatedSets(pattern: string): string | undefined {
  const plain = pattern.replace(CLASS, (whole, name: string) => CLASSES.get(name) ?? whole);
  const written = plain.replace(SET, (whole, negation: string | undefined, members = '') =>
    negation === undefined ? whole : `[${remaining(excludedBy(members))}]`,
  );
  return /\[:[a-z]+:\]/.test(plain) || /(?<!\\)\[[!^]/.test(written) ? undefined : written;
}

const CLASS = /\[:([a-z]+):\]/g;

/** The members of classes that git knows, in ASCII. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['alnum', 'a-zA-Z0-9'],
  ['lower', 'a-z'],
  ['upper', 'A-Z'],
  ['xdigit', '0-9a-fA-F'],
  ['space', ' \t'],
  ['blank', ' \t'],
  ['punct', '!-.:-@\\[-`{-~'],
]);

/**
 * An escaped character, or a set: its negation and its members, of which the first may be `]`. Sets
 * of more than 50 members are left as they are.
 */
const SET = /\\.|\[(?:([!^])(\]?(?:\\.|[^\]\\]){0,50})\]|\]?(?:\\.|[^\]\\]){0,50}\])/gs;

type Range = readonly [from: number, to: number];

function excludedBy(members: string): readonly Range[] {
  return [...members.matchAll(MEMBER)].map(([, from = '', to = from]) => [
    charCode(from),
    charCode(to),
  ]);
}

const MEMBER = /(\\.|[^\\])(?:-(\\.|[^\\]))?/gs;

function charCode(sign: string): number {
  return sign.charCodeAt(sign.length - 1);
}

/** All other characters except `/`, as ranges. */
function remaining(excluded: readonly Range[]): string {
  const sorted = [...excluded, SLASH].toSorted(([a], [b]) => a - b);
  const ranges: string[] = [];
  let next = FIRST;
  for (const [from, to] of [...sorted, END]) {
    ranges.push(rangeText(next, from - 1));
    next = Math.max(next, to + 1);
  }
  return ranges.join('');
}

const SLASH: Range = [0x2f, 0x2f];
const FIRST = 0x01;
const LAST = 0xffff;
const END: Range = [LAST + 1, LAST + 1];

/**
 * Never ends in a character that is special to the package; the few characters lost this way are
 * rare in names.
 */
function rangeText(from: number, to: number): string {
  let [first, last] = [from, to];
  while (first <= last && isSpecial(first)) first += 1;
  while (first <= last && isSpecial(last)) last -= 1;
  if (first > last) return '';
  return `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;
}

function isSpecial(code: number): boolean {
  return '\\[]*?^$|+(){}!'.includes(String.fromCharCode(code));
}
