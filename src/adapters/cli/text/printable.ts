import { stripVTControlCharacters } from 'node:util';

/**
 * Text of a project as it may be shown: a project is untrusted, and its escape sequences could rewrite
 * what the terminal shows. Control characters are removed, tabs become spaces.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(CONTROL_CHARACTERS, '');
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** All but the line feed, and the marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
