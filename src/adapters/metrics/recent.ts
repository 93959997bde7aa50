/**
 * Caches a costly reading for `maxAgeMs`. Only the first reading makes callers wait. Afterwards they get the last
 * value; if it is too old, a new one is read in the background. A failed reading keeps the last value.
 * @param now milliseconds of a monotonic clock
 */
export function recent<T>(
  read: () => Promise<T>,
  maxAgeMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly value: T; readonly at: number } | undefined;
  let reading: Promise<T> | undefined;
  const refresh = async () => {
    try {
      const value = await read();
      last = { value, at: now() };
      return value;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    if (last !== undefined && now() - last.at < maxAgeMs) return last.value;
    reading ??= refresh();
    if (last === undefined) return reading;
    reading.catch(() => undefined);
    return last.value;
  };
}
