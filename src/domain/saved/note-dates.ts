import { formatCount } from '../figures.js';
import { isRecord } from '../records.js';

/** The day from which searches leave a note out, as `2026-12-31`; undefined if its parsed frontmatter names none. */
export function readExpiry(frontmatter: unknown): string | undefined {
  const value = isRecord(frontmatter) ? readText(frontmatter['expires']) : undefined;
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value ?? '')?.[0];
  return isDay(day) ? day : undefined;
}

/** Whether a value is an existing day, such as `2026-12-31`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

export function readTime(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** A string from frontmatter; undefined if it is blank or of another type. */
export function readText(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** How long ago a time was, in days, months or years: `today`, `3 days ago`. */
export function ageText(time: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);
  if (!(days >= 1)) return 'today';
  const [size, unit] = AGE_UNITS.find(([least]) => days >= 2 * least) ?? [1, 'day'];
  const count = Math.floor(days / size);
  return `${formatCount(count, unit)} ago`;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Lengths in days, longest first. */
const AGE_UNITS = [
  [365, 'year'],
  [30, 'month'],
] as const;
