import {
  DOCUMENT_PATH_MAX_CHARACTERS,
  DOCUMENT_PATH_MAX_NAMES,
  NOTE_ID_MAX_CHARACTERS,
  PAGE_URL_MAX_CHARACTERS,
} from '../limits.js';
import { DATABASE_FILE } from '../project-layout.js';
import { checksum } from '../text.js';

/** The form of a new note id, in NFC, which is also the file name. */
const NOTE_ID_PATTERN = /^[\p{L}\p{N}_-][\p{L}\p{N}\p{M}_-]*$/u;
export const NOTE_ID_RULE = `must consist of letters, digits, "_" and "-", ${NOTE_ID_MAX_CHARACTERS} characters at most, and must not be a device name of Windows such as "con"`;

export function isNoteId(id: unknown): id is string {
  if (typeof id !== 'string') return false;
  const composed = id.normalize('NFC');
  const isShort = composed.length <= NOTE_ID_MAX_CHARACTERS;
  return isShort && NOTE_ID_PATTERN.test(composed) && !DEVICE_NAME.test(composed);
}

/** Windows cannot have files with these names, whatever the extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

/**
 * An id made from the letters and digits of a title, different from all taken names regardless of case. A title without
 * letters and digits gets a generated id.
 */
export function noteIdFor(title: string, taken: readonly string[]): string {
  return freeName(toSlug(title), taken, NOTE_ID_MAX_CHARACTERS);
}

function toSlug(title: string): string {
  const slug = spellOutSigns(title.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .replace(/^\p{M}+/u, '');
  if (slug === '') return `note-${checksum(title).toString(16).padStart(8, '0')}`;
  return DEVICE_NAME.test(slug) ? `${slug}-note` : slug;
}

/** Spells out characters that belong to a name, as in C++, C#, .NET and A/B. */
function spellOutSigns(title: string): string {
  return title
    .replace(/(?<=[\p{L}\p{N}])[+#]+(?![\p{L}\p{N}])/gu, (signs) =>
      [...signs].map((sign) => (sign === '+' ? '-plus' : '-sharp')).join(''),
    )
    .replace(/(?<![\p{L}\p{N}])[-+](?=\p{N})/gu, (sign) => (sign === '-' ? ' minus ' : ' plus '))
    .replace(/[<>=!≤≥≠]=?|==/gu, (sign) => ` ${COMPARISONS[sign] ?? ''} `);
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'at-most',
  '≤': 'at-most',
  '>': 'more',
  '>=': 'at-least',
  '≥': 'at-least',
  '==': 'equal',
  '!=': 'unequal',
  '≠': 'unequal',
};

/**
 * A file name different from all taken names regardless of case: `base`, or `base` with the first free number, as in
 * `base-2`.
 * @param maxLength of the name with its number; `base` is cut if necessary
 */
export function freeName(
  base: string,
  taken: readonly string[],
  maxLength = Number.POSITIVE_INFINITY,
): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const cut = base
      .slice(0, maxLength - suffix.length)
      .toWellFormed()
      .replace(/[-\ufffd]{1,2}$/, '');
    const name = `${cut}${suffix}`;
    if (!names.has(name)) return name;
  }
}

/** The rule for the address of a page, as the second half of a sentence. */
export const PAGE_URL_RULE = `must be an http or https URL of at most ${PAGE_URL_MAX_CHARACTERS} characters, without user name and password`;

export function isPageUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > PAGE_URL_MAX_CHARACTERS) return false;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** The address that identifies a page: normalized, and without the part after `#`. */
export function pageAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

/** A file name for a page, not necessarily unique: host, path and query, in lower case. */
export function pageName(address: string): string {
  const { host, pathname, search } = new URL(address);
  const words = `${host}${pathname}${search}`.toLowerCase().split(/[^a-z0-9]/);
  const name = words.filter((word) => word !== '').join('-');
  return name.slice(0, NAME_MAX_CHARACTERS).replace(/-$/, '') || 'page';
}

const NAME_MAX_CHARACTERS = 80;

/** The rule for the path of a document, as the second half of a sentence. */
export const DOCUMENT_PATH_RULE = `must be a relative path such as "docs/guide.md": names separated by "/", none of which begins with "." or "${DATABASE_FILE}", or is "node_modules" or longer than 200 bytes, at most ${DOCUMENT_PATH_MAX_NAMES} names and ${DOCUMENT_PATH_MAX_CHARACTERS} characters`;

/** Whether a document can have this path: relative, normalized, and without control characters. */
export function isDocumentPath(path: string): boolean {
  if (path.length > DOCUMENT_PATH_MAX_CHARACTERS || !path.isWellFormed()) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a path
  if (/[\u0000-\u001f\u007f\\]|^[A-Za-z]:/.test(path)) return false;
  const names = path.split('/');
  if (names.length > DOCUMENT_PATH_MAX_NAMES) return false;
  return names.every((name) => {
    const isNamed = name.trim() !== '' && !name.startsWith('.') && name !== 'node_modules';
    // Such a file would be taken for our database and never read as a source.
    const isOurs = name.startsWith(DATABASE_FILE);
    return isNamed && !isOurs && new TextEncoder().encode(name).length <= FILE_NAME_MAX_BYTES;
  });
}

/** File systems allow 255, and the extension `.md` may be added. */
const FILE_NAME_MAX_BYTES = 200;

/** The name of the file of a document, relative to the folder of documents. */
export function documentName(path: string): string {
  return /\.[^./]+$/.test(path) ? path : `${path}.md`;
}
