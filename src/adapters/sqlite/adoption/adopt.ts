import type { ImportCounts } from '../../../ports/chunk-import.js';
import { addBatch, type ImportTarget } from '../chunks/import-rows.js';
import type { Database } from '../database/driver.js';
import { LEFT_OUT, setState } from '../database/store-state.js';
import { readBatches } from './read-batches.js';
import { replacing } from './replace-database.js';

/** A database that another program or another release has made, and where its rows go. */
export interface AdoptionTarget extends ImportTarget {
  readonly path: string;
  /** Its `fileId`. */
  readonly file: string | undefined;
}

/** What was taken over. */
export interface Adoption extends ImportCounts {
  /** Under which name the former database is kept. */
  readonly aside: string;
  /** Sentences about what was left out. */
  readonly leftOut: readonly string[];
}

/**
 * Copies the rows of another database into a new one, which replaces it, one batch per step. Returns
 * undefined if another process has already done so.
 */
export async function* adopt(target: AdoptionTarget): AsyncGenerator<void, Adoption | undefined> {
  const { path, file, dimensions } = target;
  const replacement = await replacing(path, file);
  if (replacement === undefined) return undefined;
  try {
    const total = { chunks: 0, vectors: 0, questions: 0, skipped: 0 };
    const leftOut: string[] = [];
    for (const batch of readBatches({ path, dimensions })) {
      inTransaction(replacement.db, (db) => {
        const added = addBatch(db, batch, target);
        for (const name of COUNTED) total[name] += added[name];
        leftOut.push(...batch.leftOut);
        if (leftOut.length > 0) setState(db, LEFT_OUT, JSON.stringify(leftOut));
      });
      yield;
    }
    const aside = replacement.takePlace('replaced', new Date());
    return { ...total, aside, leftOut };
  } finally {
    replacement.abandon();
  }
}

const COUNTED = ['chunks', 'vectors', 'questions', 'skipped'] as const;

function inTransaction(db: Database, work: (db: Database) => void): void {
  db.exec('BEGIN');
  work(db);
  db.exec('COMMIT');
}
