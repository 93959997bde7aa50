import { hasLetterOrDigit } from '../text.js';
import type { LineRange } from './cited-place.js';

/**
 * Hashes of consecutive lines of a text, which do not depend on the lines' position. Line ends and trailing white space
 * are ignored. The text is read once, for the first hash, and not kept.
 */
export class LineHashes {
  #text: string;
  #table: Table | undefined;
  #places: Places | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#read().count;
  }

  /** Undefined if the text lacks the lines, or if they have no letter or digit, since such lines occur anywhere. */
  of({ from, to }: LineRange): string | undefined {
    const table = this.#read();
    if (from < 1 || to < from || to > table.count) return undefined;
    const isFilled = (table.filled[to] ?? 0) > (table.filled[from - 1] ?? 0);
    return isFilled ? windowHash(table, from, to) : undefined;
  }

  /** The place of lines with this hash that is nearest to `lines`, the earlier of two; undefined if there is none. */
  find(hash: string, { from, to }: LineRange): LineRange | undefined {
    const count = to - from + 1;
    let nearest: number | undefined;
    for (const place of this.#findPlaces(count).get(hash) ?? []) {
      const isNearer = nearest === undefined || Math.abs(place - from) < Math.abs(nearest - from);
      if (isNearer) nearest = place;
    }
    return nearest === undefined ? undefined : { from: nearest, to: nearest + count - 1 };
  }

  /** Cached for one line count, because most citations are of a single line. */
  #findPlaces(count: number): ReadonlyMap<string, readonly number[]> {
    if (this.#places?.count === count) return this.#places.byHash;
    const table = this.#read();
    const byHash = new Map<string, number[]>();
    for (let from = 1; from + count - 1 <= table.count; from += 1) {
      const hash = windowHash(table, from, from + count - 1);
      const places = byHash.get(hash);
      if (places === undefined) byHash.set(hash, [from]);
      else places.push(from);
    }
    this.#places = { count, byHash };
    return byHash;
  }

  #read(): Table {
    this.#table ??= buildTable(this.#text);
    this.#text = '';
    return this.#table;
  }
}

/** Where the lines with each hash begin, for windows of `count` lines. */
interface Places {
  readonly count: number;
  readonly byHash: ReadonlyMap<string, readonly number[]>;
}

/** Entry n covers the text up to the end of line n; entry 0 is empty. */
interface Table {
  readonly count: number;
  /** Rolling hashes modulo 2^32, for each of {@link BASES}. */
  readonly prefixes: readonly { readonly base: number; readonly prefix: Int32Array }[];
  /** How many lines contain a letter or digit. */
  readonly filled: Int32Array;
}

function buildTable(text: string): Table {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
  const filled = new Int32Array(lines.length + 1);
  const prefixes = BASES.map((base) => ({ base, prefix: new Int32Array(lines.length + 1) }));
  for (const [index, line] of lines.entries()) {
    filled[index + 1] = (filled[index] ?? 0) + (hasLetterOrDigit(line) ? 1 : 0);
    for (const { base, prefix } of prefixes) {
      prefix[index + 1] = (Math.imul(prefix[index] ?? 0, base) + hashOfText(line, base)) | 0;
    }
  }
  return { count: lines.length, prefixes, filled };
}

function windowHash({ prefixes }: Table, from: number, to: number): string {
  const hashes = prefixes.map(({ base, prefix }) => {
    const before = Math.imul(prefix[from - 1] ?? 0, power(base, to - from + 1));
    return (((prefix[to] ?? 0) - before) >>> 0).toString(36);
  });
  return hashes.join('.');
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

/** Exponentiation by squaring, modulo 2^32. */
function power(base: number, exponent: number): number {
  let [result, square] = [1, base];
  for (let rest = exponent; rest > 0; rest >>>= 1) {
    if (rest & 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}
