import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';

/** Styles text for a terminal, or leaves it unchanged if there are no colors. */
export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
  /** Marks a source, an id or a command. */
  name(text: string): string;
  /** Marks a word of the query. */
  match(text: string): string;
}

export function stylesFor(hasColors: boolean): Styles {
  const { bold, dim, cyan, yellow } = colors.createColors(hasColors);
  return { bold, dim, name: cyan, match: (text) => bold(yellow(text)) };
}

/**
 * Makes project text safe to show: a project is untrusted, and its escape sequences could manipulate the display.
 * Removes control characters, and replaces tabs with spaces.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(CONTROL_CHARACTERS, '');
}

/** Like `printable`, but on one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** Names a project and its application directory, below the result of a command. */
export function projectLine({
  path,
  appDir,
}: {
  readonly path: string;
  readonly appDir: string;
}): string {
  return `  project ${printableLine(path)}, folder ${printableLine(appDir)}`;
}

/** Control characters except the line feed, and marks that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Formats a value as JSON, with characters escaped that a terminal would interpret. Parsers read the same value. */
export function shownJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Escapes characters that a terminal would interpret, in the notation of JSON and TOML. */
export function escapeControls(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROL_CHARACTERS, (sign) =>
      sign === '\t' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** `Done` for `done`. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `412 B`, `1.3 MB`. */
export function formatSize(bytes: number): string {
  const unit = UNITS.findLast(({ size }) => bytes >= size);
  if (unit === undefined) return `${bytes} B`;
  const value = bytes / unit.size;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit.name}`;
}

/** `45 s`, `3 min`, `1 h 20 min`. */
export function lasting(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const UNITS = [
  { name: 'kB', size: 1000 },
  { name: 'MB', size: 1_000_000 },
  { name: 'GB', size: 1_000_000_000 },
] as const;
