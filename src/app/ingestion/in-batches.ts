/** What is left to do for an item, once it is prepared. */
export interface Prepared<Result> {
  /** How much there is to do, in the unit of `BatchLimits`. */
  readonly size: number;
  readonly finish: () => Promise<Result>;
}

export interface BatchLimits {
  readonly maxItems: number;
  /** A batch ends with the item that reaches it. */
  readonly maxSize: number;
}

/**
 * Prepares one item after the other, and finishes those of a batch at the same time, while the next batch is prepared.
 * Returns the results in the order of the items. After a failure nothing more is begun, and what was begun is
 * waited for.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  prepare: (item: Item) => Promise<Prepared<Result>>,
  { maxItems, maxSize }: BatchLimits,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let finishing: Promise<readonly Result[]> = Promise.resolve([]);
  let batch: Prepared<Result>[] = [];
  const finishBatch = async () => {
    results.push(...(await finishing));
    finishing = finished(batch);
    finishing.catch(() => {}); // Whoever waits for it next is told.
    batch = [];
  };
  try {
    for (const item of items) {
      batch.push(await prepare(item));
      const size = batch.reduce((sum, prepared) => sum + prepared.size, 0);
      if (batch.length >= maxItems || size >= maxSize) await finishBatch();
    }
    await finishBatch();
    return [...results, ...(await finishing)];
  } catch (error) {
    await finishing.catch(() => {});
    throw error;
  }
}

/** Waits for all of them, also if one fails. */
async function finished<Result>(batch: readonly Prepared<Result>[]): Promise<readonly Result[]> {
  const outcomes = await Promise.allSettled(batch.map(({ finish }) => finish()));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
