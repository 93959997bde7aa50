import { hasLetterOrDigit } from '../chunks/text.js';
import type { LineRange } from './mentions.js';

/**
 * A hash of some lines of a text, equal wherever the same lines stand. Line ends and white space at the end of a line do
 * not count. Undefined if the text does not have the lines, or no letter or digit is in them: such lines are found anywhere.
 */
export function hashOfLines(text: string, { from, to }: LineRange): string | undefined {
  const lines = linesIn(text);
  if (to > lines.length) return undefined;
  const cited = lines.slice(from - 1, to);
  if (!cited.some(hasLetterOrDigit)) return undefined;
  return windowHashes(cited, cited.length).next().value ?? undefined;
}

/** Where the lines with a hash stand in a text, the nearest to `lines`, the earlier of two; undefined if nowhere. */
export function findLines(text: string, hash: string, lines: LineRange): LineRange | undefined {
  const count = lines.to - lines.from + 1;
  const distance = (from: number) => Math.abs(from - lines.from);
  let [nearest, from] = [Number.POSITIVE_INFINITY, 1];
  for (const found of windowHashes(linesIn(text), count)) {
    if (found === hash && distance(from) < distance(nearest)) nearest = from;
    from += 1;
  }
  return Number.isFinite(nearest) ? { from: nearest, to: nearest + count - 1 } : undefined;
}

function linesIn(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
}

/** Of each `count` consecutive lines: two rolling hashes modulo 2^32, so that a text of any length is read once. */
function* windowHashes(lines: readonly string[], count: number): Generator<string> {
  const hashes = BASES.map((base) => ({
    base,
    values: lines.map((line) => hashOfText(line, base)),
    leaving: power(base, count),
    rolling: 0,
  }));
  for (const place of lines.keys()) {
    for (const hash of hashes) {
      const left = Math.imul(hash.values[place - count] ?? 0, hash.leaving);
      hash.rolling = (Math.imul(hash.rolling, hash.base) + (hash.values[place] ?? 0) - left) | 0;
    }
    if (place >= count - 1) {
      yield hashes.map(({ rolling }) => (rolling >>> 0).toString(36)).join('.');
    }
  }
}

const BASES: readonly number[] = [1_000_003, 69_069];

/** Never 0 for an empty line, so that it counts. */
function hashOfText(text: string, base: number): number {
  let hash = 0x811c9dc5 ^ base;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let done = 0; done < exponent; done += 1) result = Math.imul(result, base);
  return result;
}
