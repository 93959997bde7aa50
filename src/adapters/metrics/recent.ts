/**
 * A costly reading, taken at most once per `maxAgeMs`. Only the first caller waits for it; later ones get the last
 * value, while a new one is read if the last is too old. A failed reading keeps the last value.
 * @param now milliseconds of a clock that never goes back
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
