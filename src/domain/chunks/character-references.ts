import type { Line } from './markdown.js';

/**
 * The line with HTML character references (`caf&eacute;`, `&#8364;`) decoded, so that searches find the words. Code is
 * unchanged, and so are references to ASCII characters, which Markdown may need.
 */
export function withoutReferences(line: Line): Line {
  if (line.fence !== undefined || !line.text.includes('&')) return line;
  const { heading } = line;
  return {
    ...line,
    text: withCharacters(line.text),
    ...(heading !== undefined && { heading: withCharacters(heading) }),
  };
}

function withCharacters(text: string): string {
  return text.replace(REFERENCE_OR_CODE, (whole, name: string | undefined) => {
    if (name === undefined) return whole;
    if (!name.startsWith('#')) return LETTERS.get(name) ?? withMark(name) ?? whole;
    const code = Number(name.replace('#', '').replace(/^[xX]/, '0x'));
    const isCharacter = code > 0x7f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

const REFERENCE_OR_CODE = /`[^`]*`|&([A-Za-z]{2,8}|#\d{1,7}|#[xX][\dA-Fa-f]{1,6});/g;

/** Most names consist of a base letter and a mark: `eacute`, `zcaron`. */
function withMark(name: string): string | undefined {
  const mark = MARKS.get(name.slice(1));
  if (mark === undefined) return undefined;
  const letter = (name.charAt(0) + mark).normalize('NFC');
  return letter.length === 1 ? letter : undefined;
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['macr', '\u0304'],
  ['breve', '\u0306'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['dblac', '\u030b'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
  ['ogon', '\u0328'],
]);

/** In order from U+0391; U+03A2 is not a letter. */
const CAPITAL_GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';

const SMALL_GREEK = CAPITAL_GREEK.toLowerCase().replace('-', 'sigmaf');

function inOrder(names: string, first: number): readonly (readonly [string, string])[] {
  return names.split(' ').map((name, i) => [name, String.fromCodePoint(first + i)]);
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ...inOrder(CAPITAL_GREEK, 0x391),
  ...inOrder(SMALL_GREEK, 0x3b1),
  ['AElig', 'Æ'],
  ['aelig', 'æ'],
  ['OElig', 'Œ'],
  ['oelig', 'œ'],
  ['ETH', 'Ð'],
  ['eth', 'ð'],
  ['THORN', 'Þ'],
  ['thorn', 'þ'],
  ['Oslash', 'Ø'],
  ['oslash', 'ø'],
  ['Lstrok', 'Ł'],
  ['lstrok', 'ł'],
  ['Dstrok', 'Đ'],
  ['dstrok', 'đ'],
  ['Idot', 'İ'],
  ['inodot', 'ı'],
  ['szlig', 'ß'],
  ['times', '×'],
  ['divide', '÷'],
  ['euro', '€'],
  ['pound', '£'],
  ['yen', '¥'],
  ['sect', '§'],
  ['deg', '°'],
  ['micro', 'µ'],
  ['nbsp', '\u00a0'],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['shy', '\u00ad'],
]);
