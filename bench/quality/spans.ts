/** A part of a text, from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Merges touching and overlapping spans, and sorts them. */
function unionOf(spans: readonly Span[]): readonly Span[] {
  const union: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = union.at(-1);
    if (span.end <= span.start) continue;
    if (last === undefined || last.end < span.start) union.push(span);
    else union[union.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return union;
}

/** Number of characters in the spans. A character in two spans counts once. */
export function charactersIn(spans: readonly Span[]): number {
  return unionOf(spans).reduce((total, { start, end }) => total + end - start, 0);
}

/** Number of characters that are in both lists of spans. */
function commonCharacters(a: readonly Span[], b: readonly Span[]): number {
  return charactersIn(a) + charactersIn(b) - charactersIn([...a, ...b]);
}

/** How well the returned characters cover the labelled ones. */
export interface Coverage {
  /** Share of the labelled characters that were returned. */
  readonly recall: number;
  /** Share of the returned characters that are labelled; 0 if nothing was returned. */
  readonly precision: number;
  /** Intersection over union: characters in both, divided by characters in either. */
  readonly iou: number;
}

/** @param elsewhere number of characters returned from other texts, none of which are labelled */
export function coverage(
  returned: readonly Span[],
  labelled: readonly Span[],
  elsewhere: number,
): Coverage {
  const common = commonCharacters(returned, labelled);
  const all = charactersIn(returned) + elsewhere;
  const wanted = charactersIn(labelled);
  return {
    recall: common / wanted,
    precision: all === 0 ? 0 : common / all,
    iou: common / (all + wanted - common),
  };
}

/**
 * The positions of pieces in the text from which they were cut, in order. Undefined for a piece that does not occur
 * after the previous one. Ignores white space, because a chunker may change it.
 */
export function placesOf(text: string, pieces: readonly string[]): readonly (Span | undefined)[] {
  const { letters, positions } = withoutSpace(text);
  let from = 0;
  return pieces.map((piece) => {
    const wanted = withoutSpace(piece).letters;
    const at = letters.indexOf(wanted, from);
    if (at === -1 || wanted === '') return undefined;
    from = at + wanted.length;
    return { start: positions[at] as number, end: (positions[from - 1] as number) + 1 };
  });
}

/** Converts positions in code points to positions in UTF-16 units. */
export function unitsOfCodePoints(text: string): (codePoints: number) => number {
  const units = [0];
  for (const character of text) units.push((units.at(-1) as number) + character.length);
  return (codePoints) => units[codePoints] ?? text.length;
}

function withoutSpace(text: string): { readonly letters: string; readonly positions: number[] } {
  const positions: number[] = [];
  for (const { index } of text.matchAll(/[^\s]/g)) positions.push(index);
  return { letters: text.replace(/\s/g, ''), positions };
}
