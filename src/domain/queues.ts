/** Groups items by a key, in their order, so that each can be taken once: `queues.get(key)?.next().value`. */
export function queuesBy<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): ReadonlyMap<string, Iterator<T, undefined>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return new Map(Array.from(groups, ([key, group]) => [key, group.values()]));
}
