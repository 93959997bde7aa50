/** A longer pause is shortened to one hour. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * The pause that a reply asks for, in milliseconds from 0 to {@link RETRY_AFTER_MAX_MS}: the header
 * `retry-after-ms`, or else `Retry-After` in seconds or as an HTTP date. `undefined` if neither is valid.
 */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const pauses = [
    numberIn(headers.get('retry-after-ms')),
    pauseIn(headers.get('retry-after'), now.getTime()),
  ];
  const pause = pauses.find((candidate) => candidate !== undefined);
  return pause === undefined ? undefined : Math.min(Math.max(0, pause), RETRY_AFTER_MAX_MS);
}

function pauseIn(value: string | null, now: number): number | undefined {
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : date - now;
}

function numberIn(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
