/** What is left to do for an item, once it is prepared. */
export interface Prepared<Result> {
  /** How much there is to do, in the unit of `BatchLimits`. */
  readonly size: number;
  readonly finish: () => Promise<Result>;
}

interface BatchLimits {
  readonly maxItems: number;
  /** A batch ends with the item that reaches it. */
  readonly maxSize: number;
}

/**
 * Prepares one item after the other, lets the event loop run between them, and finishes those of a batch at the same time, while the next batches are prepared.
 * Two batches may be finished at once, so that the second one begins as soon as the first one ends. Returns the results in
 * the order of the items. After a failure nothing more is begun, and what was begun is waited for.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  prepare: (item: Item) => Promise<Prepared<Result>>,
  { maxItems, maxSize }: BatchLimits,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const begun: Promise<readonly Result[]>[] = [];
  let batch: Prepared<Result>[] = [];
  const waitForOldest = async () => {
    for (const result of (await begun[0]) ?? []) results.push(result);
    begun.shift();
  };
  const finishBatch = async () => {
    if (begun.length === BATCHES_AT_ONCE) await waitForOldest();
    const finishing = finished(batch);
    finishing.catch(() => {}); // Whoever waits for it is told.
    begun.push(finishing);
    batch = [];
  };
  try {
    for (const item of items) {
      await yieldToEventLoop();
      batch.push(await prepare(item));
      const size = batch.reduce((sum, prepared) => sum + prepared.size, 0);
      if (batch.length >= maxItems || size >= maxSize) await finishBatch();
    }
    await finishBatch();
    while (begun.length > 0) await waitForOldest();
    return results;
  } catch (error) {
    await Promise.allSettled(begun);
    throw error;
  }
}

const BATCHES_AT_ONCE = 2;

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for all of them, also if one fails. */
async function finished<Result>(batch: readonly Prepared<Result>[]): Promise<readonly Result[]> {
  const outcomes = await Promise.allSettled(batch.map(({ finish }) => finish()));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
