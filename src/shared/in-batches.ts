interface Batches<Item, Prepared, Result> {
  readonly prepare: (item: Item) => Promise<Prepared>;
  /** The amount to write for a prepared item. */
  readonly sizeOf: (prepared: Prepared) => number;
  readonly write: (batch: readonly Prepared[]) => Promise<readonly Result[]>;
}

/**
 * Prepares items one by one, with a turn of the event loop between them, and writes them in batches. A batch ends with
 * the item that reaches a limit. Returns the results in the order of the items; stops at the first failure.
 */
export async function inBatches<Item, Prepared, Result>(
  items: readonly Item[],
  { prepare, sizeOf, write }: Batches<Item, Prepared, Result>,
  { maxItems, maxSize } = BATCH_LIMITS,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let batch: Prepared[] = [];
  let size = 0;
  for (const [index, item] of items.entries()) {
    await eventLoop();
    const prepared = await prepare(item);
    batch.push(prepared);
    size += sizeOf(prepared);
    const isFull = batch.length >= maxItems || size >= maxSize;
    if (!isFull && index < items.length - 1) continue;
    results.push(...(await write(batch)));
    [batch, size] = [[], 0];
  }
  return results;
}

/** A batch takes some 20 ms, so that neither other writers nor the event loop wait long. */
const BATCH_LIMITS = { maxItems: 32, maxSize: 300 };

/** Gives the event loop a turn; calls that never wait would block it. */
export function eventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs `work` on the items one by one, with a turn of the event loop before each. */
export async function oneByOne<T, U>(
  items: readonly T[],
  work: (item: T) => Promise<U>,
): Promise<readonly U[]> {
  const results: U[] = [];
  for (const item of items) {
    await eventLoop();
    results.push(await work(item));
  }
  return results;
}
