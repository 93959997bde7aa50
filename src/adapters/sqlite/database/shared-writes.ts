import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

/** A write that may be committed together with others; if it rejects, only its own changes are undone. */
type Write = (db: Database) => Promise<unknown>;

/** Runs work in a transaction of its own; resolves when that is committed. */
export type Transact = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Makes writes that wait for the lock at the same time one after the other, and commits them in one transaction:
 * a commit takes as long as writing a small source. Each is confirmed after the commit. If the transaction fails, each
 * of them fails.
 */
export class SharedWrites {
  readonly #transact: Transact;
  /** Those that the next transaction will make. */
  #next: Group | undefined;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  async run<T>(write: (db: Database) => Promise<T>): Promise<T> {
    const group = this.#next ?? this.#begin();
    const place = group.writes.push(write) - 1;
    if (group.writes.length === WRITES_MAX) this.#next = undefined;
    const outcome = (await group.outcomes)[place];
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    return outcome.value as T;
  }

  /** A group takes writes until its transaction has begun. */
  #begin(): Group {
    const writes: Write[] = [];
    const outcomes = this.#transact((db) => {
      if (this.#next === group) this.#next = undefined;
      return outcomesOf(db, writes);
    });
    const group: Group = { writes, outcomes };
    this.#next = group;
    return group;
  }
}

/** So that others do not wait long for the lock. */
const WRITES_MAX = 32;

interface Group {
  readonly writes: Write[];
  readonly outcomes: Promise<readonly Outcome[]>;
}

type Outcome = PromiseSettledResult<unknown>;

async function outcomesOf(db: Database, writes: readonly Write[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const write of writes) outcomes.push(await outcomeOf(db, write));
  return outcomes;
}

/** @throws what the write throws if SQLite has undone the whole transaction, such as on a full disk */
async function outcomeOf(db: Database, write: Write): Promise<Outcome> {
  prepared(db, 'SAVEPOINT shared_write').run();
  try {
    const value = await write(db);
    prepared(db, 'RELEASE shared_write').run();
    return { status: 'fulfilled', value };
  } catch (reason) {
    if (!db.inTransaction) throw reason;
    db.exec('ROLLBACK TO shared_write; RELEASE shared_write');
    return { status: 'rejected', reason };
  }
}
