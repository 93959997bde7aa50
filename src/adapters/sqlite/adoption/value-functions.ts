import { parseStrings, toIsoDate } from '../chunks/chunk-rows.js';
import type { Database } from '../database/driver.js';
import { toVector } from '../database/encodings.js';

interface FunctionOptions {
  readonly dimensions: number;
  /** The maximum number of bytes of content that are taken. */
  readonly contentBytes: number;
}

/** Functions for statements that read another database, which nothing in that database can call. */
export function addFunctions(db: Database, { dimensions, contentBytes }: FunctionOptions): void {
  const define = (name: string, work: (value: unknown) => unknown) =>
    db.function(name, { deterministic: true, directOnly: true }, work);
  define('is_name', (value) => Number(isText(value) && value !== ''));
  define('is_text', (value) => Number(isText(value)));
  const date = withLastResult(dateFrom);
  define('iso_date', (value) => (typeof value === 'string' ? date(value) : null));
  define('strings', (value) => listFrom(value));
  define('is_vector', (value) => Number(toVector(value, dimensions) !== undefined));
  let left = contentBytes;
  db.function('has_room', { directOnly: true }, (bytes: unknown) => {
    left -= Number(bytes);
    return Number(left >= 0);
  });
}

/** Values that every backend can store. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/** Chunks are written together, so most dates repeat the one before. */
function withLastResult<T>(compute: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}

/** ISO 8601 with a year of four digits, which every backend can store. */
function dateFrom(text: string): string | null {
  const date = toIsoDate(text);
  return /^\d{4}-/.test(date) && !Number.isNaN(Date.parse(date)) ? date : null;
}

function listFrom(value: unknown): string | null {
  const strings = parseStrings(typeof value === 'string' ? value : null).filter(isText);
  return strings.length === 0 ? null : JSON.stringify(strings);
}
