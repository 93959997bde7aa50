import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SharedWrites } from '../../../src/adapters/sqlite/database/shared-writes.js';
import { PromiseQueue } from '../../../src/domain/promise-queue.js';

let db: Database.Database;
let transactions: number;
let writes: SharedWrites;

beforeEach(() => {
  db = new Database(':memory:');
  db.exec('CREATE TABLE words (word TEXT UNIQUE)');
  transactions = 0;
  const queue = new PromiseQueue();
  writes = new SharedWrites((work) => queue.run(() => inTransaction(work)));
});

afterEach(() => {
  db.close();
});

describe('writes that wait at the same time', () => {
  it('are made in their order, and committed together', async () => {
    const outcomes = await Promise.all([add('copper'), add('walnut'), add('basalt')]);
    expect(outcomes).toEqual(['copper', 'walnut', 'basalt']);
    expect(words()).toEqual(['copper', 'walnut', 'basalt']);
    expect(transactions).toBe(1);
  });

  it('are confirmed after the commit', async () => {
    const first = add('copper').then(() => db.inTransaction);
    await Promise.all([first, add('walnut')]);
    expect(await first).toBe(false);
  });

  it('are made in several transactions if there are many', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, n) => add(`word ${n}`)));
    expect(words()).toHaveLength(70);
    expect(transactions).toBe(3);
  });

  it('leave those that come while they are made to the next transaction', async () => {
    let late: Promise<string> | undefined;
    await writes.run(async () => {
      late = add('walnut');
    });
    expect(await late).toBe('walnut');
    expect(transactions).toBe(2);
  });
});

describe('a write that fails among others', () => {
  it('is undone alone, and told its own reason', async () => {
    const reason = new Error('no more');
    const failing = writes.run(async () => {
      insert('oak');
      throw reason;
    });
    const others = Promise.all([add('copper'), failing.catch(() => {}), add('walnut')]);
    await expect(failing).rejects.toBe(reason);
    await others;
    expect(words()).toEqual(['copper', 'walnut']);
  });

  it('lets all of them fail if SQLite has undone the whole transaction', async () => {
    await add('copper');
    const all = [
      add('walnut'),
      writes.run(async () => db.prepare('INSERT OR ROLLBACK INTO words VALUES (?)').run('copper')),
      add('basalt'),
    ];
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(words()).toEqual(['copper']);
    await add('oak');
    expect(words()).toEqual(['copper', 'oak']);
  });
});

async function inTransaction<T>(work: (db: Database.Database) => Promise<T>): Promise<T> {
  transactions += 1;
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work(db);
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function add(word: string): Promise<string> {
  return writes.run(async () => {
    insert(word);
    return word;
  });
}

function insert(word: string): void {
  db.prepare('INSERT INTO words VALUES (?)').run(word);
}

function words(): readonly unknown[] {
  return db.prepare('SELECT word FROM words ORDER BY rowid').pluck().all();
}
