/** `1,234`, without a locale, which would take 30 ms to load at the start of a program. */
export function formatInteger(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1234` and `12,345`: as `formatInteger`, but from five digits on. */
export function formatIfLong(value: number): string {
  return value < 10_000 ? String(value) : formatInteger(value);
}

/** `1 chunk`, `2 chunks`. */
export function formatCount(value: number, noun: string): string {
  return `${formatInteger(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `1 chunk has`, `2 chunks have`. */
export function chunksHave(count: number): string {
  return count === 1 ? '1 chunk has' : `${count} chunks have`;
}
