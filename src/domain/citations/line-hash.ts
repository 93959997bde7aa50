import { hasLetterOrDigit } from '../chunks/text.js';
import type { LineRange } from './mentions.js';

/**
 * A hash of some lines of a text, equal wherever the same lines stand. Line ends and white space at the end of a line do
 * not count. Undefined if the text does not have the lines, or no letter or digit is in them: such lines are found anywhere.
 */
export function hashOfLines(text: string, { from, to }: LineRange): string | undefined {
  const lines = linesIn(text);
  if (from < 1 || to < from || to > lines.length) return undefined;
  const cited = lines.slice(from - 1, to);
  if (!cited.some(hasLetterOrDigit)) return undefined;
  return shown(hashes(cited, cited.length).next().value ?? [0, 0]);
}

/** Where the lines with a hash stand in a text, the nearest to `lines`, the earlier of two; undefined if nowhere. */
export function findLines(text: string, hash: string, lines: LineRange): LineRange | undefined {
  const count = lines.to - lines.from + 1;
  let [nearest, from]: [number | undefined, number] = [undefined, 1];
  for (const pair of hashes(linesIn(text), count)) {
    const isNearer = nearest === undefined || distance(from, lines) < distance(nearest, lines);
    if (isNearer && shown(pair) === hash) nearest = from;
    from += 1;
  }
  return nearest === undefined ? undefined : { from: nearest, to: nearest + count - 1 };
}

function distance(from: number, lines: LineRange): number {
  return Math.abs(from - lines.from);
}

function linesIn(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
}

type HashPair = readonly [number, number];

/** Of each `count` lines that follow each other: rolling hashes, so that a text of any length is read once. */
function* hashes(lines: readonly string[], count: number): Generator<HashPair> {
  const values = lines.map((line) => BASES.map((base) => hashOfText(line, base)));
  const powers = BASES.map((base) => power(base, count - 1));
  const rolling = BASES.map(() => 0);
  for (const [place, value] of values.entries()) {
    for (const [number, base] of BASES.entries()) {
      const left = values[place - count]?.[number] ?? 0;
      const kept = modulo((rolling[number] ?? 0) - multiplied(left, powers[number] ?? 1));
      rolling[number] = modulo(multiplied(kept, base) + (value[number] ?? 0));
    }
    if (place >= count - 1) yield [rolling[0] ?? 0, rolling[1] ?? 0];
  }
}

/** Two hashes of 31 bits are more than a project has windows of lines. */
const BASES: readonly number[] = [1_000_003, 69_069];
const PRIME = 2_147_483_647;

/** Never 0, so that empty lines count. */
function hashOfText(text: string, base: number): number {
  let hash = 7;
  for (let at = 0; at < text.length; at += 1) {
    hash = modulo(multiplied(hash, base) + text.charCodeAt(at) + 1);
  }
  return hash + 1;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let done = 0; done < exponent; done += 1) result = multiplied(result, base);
  return result;
}

/** The product of two numbers below 2^31, without the loss of digits that a product of 62 bits has. */
function multiplied(a: number, b: number): number {
  const [high, low] = [Math.floor(a / 65_536), a % 65_536];
  return modulo(modulo(high * b) * 65_536 + low * b);
}

function modulo(value: number): number {
  const rest = value % PRIME;
  return rest < 0 ? rest + PRIME : rest;
}

function shown([one, other]: HashPair): string {
  return `${one.toString(36)}.${other.toString(36)}`;
}
