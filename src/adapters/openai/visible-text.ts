/**
 * The text without characters that nobody sees: control characters but tab and line ends, marks of
 * direction, zero-width spaces, Unicode tags. Joiners stay, which scripts and emoji need.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '').toWellFormed();
}

/** The visible text with every run of white space as one space. */
export function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ')).replace(/ +/g, ' ').trim();
}

const INVISIBLE =
  /(?![\t\n\r])\p{Cc}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
