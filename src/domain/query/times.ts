/** The texts that {@link parseTime} understands, for error messages. */
export const TIME_SYNTAX =
  'an ISO 8601 time such as 2026-05-01, or a span back from now such as 12h, 7d or 3w';

/**
 * Parses a date (midnight UTC), a date with a time (UTC by default), or a span of hours, days or
 * weeks back from now. Undefined for any other text.
 */
export function parseTime(text: string, now: Date): Date | undefined {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const hours = HOURS.get(unit ?? '');
  if (hours !== undefined) return new Date(now.getTime() - Number(amount) * hours * HOUR_MS);
  const [, date, time = 'T00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? [];
  if (date === undefined || !isCalendarDay(date)) return undefined;
  const parsed = new Date(`${date}${time}${zone}`);
  return Number.isNaN(parsed.getTime()) ? undefined : parsed;
}

const HOUR_MS = 3_600_000;
const HOURS: ReadonlyMap<string, number> = new Map([
  ['h', 1],
  ['d', 24],
  ['w', 168],
]);

const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** `Date` would read 30 February as 2 March. */
function isCalendarDay(date: string): boolean {
  const day = new Date(`${date}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
