/**
 * Items that wait in lines, one line per name. Lines take turns, so that a long one keeps the others waiting for one item
 * at a time.
 */
export class FairQueue<Item> {
  readonly #lineOf: (item: Item) => string;
  /** In the order of their turns; no line is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  constructor(lineOf: (item: Item) => string) {
    this.#lineOf = lineOf;
  }

  get size(): number {
    return this.#size;
  }

  lengthOf(line: string): number {
    return this.#lines.get(line)?.length ?? 0;
  }

  add(item: Item, place: 'first' | 'last'): void {
    const line = this.#lineOf(item);
    const items = this.#lines.get(line) ?? [];
    if (place === 'first') items.unshift(item);
    else items.push(item);
    this.#lines.set(line, items);
    this.#size += 1;
  }

  /** Takes the first item of the first line for which `placeFor` finds a place; undefined if there is none. */
  take<Place>(
    placeFor: (item: Item) => Place | undefined,
  ): { readonly item: Item; readonly place: Place } | undefined {
    for (const [line, items] of this.#lines) {
      const [item] = items;
      const place = item && placeFor(item);
      if (item === undefined || place === undefined) continue;
      items.shift();
      this.#size -= 1;
      this.#lines.delete(line);
      if (items.length > 0) this.#lines.set(line, items);
      return { item, place };
    }
    return undefined;
  }

  /** Takes out everything that waits. */
  drain(): readonly Item[] {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return all;
  }
}
