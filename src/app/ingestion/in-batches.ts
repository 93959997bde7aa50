/** What is left to do for an item, once it is prepared. */
export interface Prepared<Result> {
  /** How much there is to do. */
  readonly size: number;
  readonly finish: () => Promise<Result>;
}

/**
 * Prepares one item after the other, lets the event loop run between them, and finishes those of a batch at the same
 * time. Returns the results in the order of the items. After a failure nothing more is begun, and what was begun is
 * waited for.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  prepare: (item: Item) => Promise<Prepared<Result>>,
  { maxItems, maxSize } = BATCH_LIMITS,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let batch: Prepared<Result>[] = [];
  let size = 0;
  for (const [index, item] of items.entries()) {
    await eventLoop();
    const prepared = await prepare(item);
    batch.push(prepared);
    size += prepared.size;
    const isFull = batch.length >= maxItems || size >= maxSize;
    if (!isFull && index < items.length - 1) continue;
    results.push(...(await finished(batch)));
    [batch, size] = [[], 0];
  }
  return results;
}

/** Few enough that others do not wait long for the lock with which a batch is written. A batch ends with the item that reaches a limit. */
const BATCH_LIMITS = { maxItems: 32, maxSize: 800 };

/** Waits for all of them, also if one fails. */
async function finished<Result>(batch: readonly Prepared<Result>[]): Promise<readonly Result[]> {
  const outcomes = await Promise.allSettled(batch.map(({ finish }) => finish()));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Lets the event loop run, which calls that never have to wait would keep from other work. */
export function eventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
