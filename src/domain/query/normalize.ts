/**
 * A text as it is indexed and looked for: NFKC, which makes one of full-width letters, ligatures and
 * letters in several pieces, without soft hyphens, zero-width signs and whatever else nobody sees.
 */
export function normalized(text: string): string {
  return isAscii(text) ? text : text.replace(INVISIBLE, '').normalize('NFKC');
}

/** Whether normalizing can change nothing. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
