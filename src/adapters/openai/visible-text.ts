/**
 * The text without invisible characters: control characters except tab and line endings, directional
 * marks, zero-width spaces and Unicode tags. Joiners are kept, because some scripts and emoji need them.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, '').toWellFormed();
}

/** The visible text with every run of white space replaced by one space. */
export function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ')).replace(/ +/g, ' ').trim();
}

const INVISIBLE =
  /(?![\t\n\r])\p{Cc}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
