import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

/** A write that may be committed together with others; if it fails, only its own changes are undone. */
interface SharedWrite<Input, T> {
  /** What is written. Of several writes with the same subject, each is prepared after the one before it was committed. */
  readonly subject: string;
  /** Begun once the lock is held, for all writes of a transaction at the same time. */
  readonly prepare: () => Promise<Input>;
  readonly make: (db: Database, input: Input) => T;
}

/** Runs work in a transaction of its own; resolves when that is committed. */
type Transact = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

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

  async run<Input, T>({ subject, prepare, make }: SharedWrite<Input, T>): Promise<T> {
    const group = this.#next?.subjects.has(subject) === false ? this.#next : this.#begin();
    group.subjects.add(subject);
    const write: Write = async () => {
      const input = await prepare();
      return (db) => make(db, input);
    };
    const place = group.writes.push(write) - 1;
    if (group.writes.length === WRITES_MAX) this.#next = undefined;
    const outcome = (await group.outcomes)[place];
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    return outcome.value as T;
  }

  /** A group takes writes until its transaction has begun. */
  #begin(): Group {
    const writes: Write[] = [];
    const outcomes = this.#transact(async (db) => {
      if (this.#next === group) this.#next = undefined;
      const ready = await Promise.allSettled(writes.map((write) => write()));
      return ready.map((one) => (one.status === 'rejected' ? one : outcomeOf(db, one.value)));
    });
    const group: Group = { subjects: new Set(), writes, outcomes };
    this.#next = group;
    return group;
  }
}

/** So that others do not wait long for the lock. */
const WRITES_MAX = 32;

/** Prepares a write, and returns how it is made. */
type Write = () => Promise<Make>;

type Make = (db: Database) => unknown;

interface Group {
  readonly subjects: Set<string>;
  readonly writes: Write[];
  readonly outcomes: Promise<readonly PromiseSettledResult<unknown>[]>;
}

/**
 * Can be undone alone.
 * @throws what the write throws if only the whole transaction can be undone
 */
function outcomeOf(db: Database, make: Make): PromiseSettledResult<unknown> {
  prepared(db, 'SAVEPOINT shared_write').run();
  try {
    const value = make(db);
    prepared(db, 'RELEASE shared_write').run();
    return { status: 'fulfilled', value };
  } catch (reason) {
    if (!isUndone(db)) throw reason;
    return { status: 'rejected', reason };
  }
}

/**
 * Not where SQLite has undone the whole transaction, as on a full disk, nor where a damaged full-text index failed while the
 * savepoint was released: then there is none any more.
 */
function isUndone(db: Database): boolean {
  if (!db.inTransaction) return false;
  try {
    db.exec('ROLLBACK TO shared_write; RELEASE shared_write');
    return true;
  } catch {
    return false;
  }
}
