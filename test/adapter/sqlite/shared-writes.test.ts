import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { SharedWrites } from '../../../src/adapters/sqlite/database/shared-writes.js';
import { PromiseQueue } from '../../../src/domain/promise-queue.js';

let db: Database;
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
    await run(() => {
      late = add('walnut');
    });
    expect(await late).toBe('walnut');
    expect(transactions).toBe(2);
  });
});

describe('what writes need', () => {
  it('is prepared at the same time for all of them, once their transaction has begun', async () => {
    let begun = 0;
    const prepare = async () => {
      expect(db.inTransaction).toBe(true);
      begun += 1;
      await setImmediate();
      return begun;
    };
    const make = (_: unknown, input: number) => input;
    const all = ['copper', 'walnut', 'basalt'].map((subject) =>
      writes.run({ subject, prepare, make }),
    );
    expect(await Promise.all(all)).toEqual([3, 3, 3]);
  });

  it('is prepared after the commit of an earlier write of the same subject', async () => {
    const committed: string[] = [];
    const write = (word: string) =>
      writes.run({
        subject: 'copper',
        prepare: async () => committed.push(...words().map(String)),
        make: () => insert(word),
      });
    await Promise.all([write('first'), add('walnut'), write('second')]);
    expect(committed).toEqual(['first', 'walnut']);
    expect(transactions).toBe(2);
  });

  it('makes only its own write fail if it cannot be had', async () => {
    const reason = new Error('not there');
    const prepare = () => Promise.reject(reason);
    const failing = writes.run({ subject: 'oak', prepare, make: () => insert('oak') });
    const others = Promise.all([add('copper'), failing.catch(() => {}), add('walnut')]);
    await expect(failing).rejects.toBe(reason);
    await others;
    expect(words()).toEqual(['copper', 'walnut']);
    expect(transactions).toBe(1);
  });
});

describe('a write that fails among others', () => {
  it('is undone alone, and told its own reason', async () => {
    const reason = new Error('no more');
    const failing = run(() => {
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
      run(() => db.prepare('INSERT OR ROLLBACK INTO words VALUES (?)').run('copper')),
      add('basalt'),
    ];
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(words()).toEqual(['copper']);
    await add('oak');
    expect(words()).toEqual(['copper', 'oak']);
  });

  it('lets all of them fail, with its reason, if the full-text index does so after the write', async () => {
    db.exec(`CREATE VIRTUAL TABLE texts USING fts5(word);
      CREATE TRIGGER indexed AFTER INSERT ON words BEGIN INSERT INTO texts VALUES (new.word); END`);
    await add('copper');
    db.unsafeMode(true);
    db.exec("INSERT INTO texts_idx VALUES (2, x'', 2), (3, x'', 2)");
    const outcomes = await Promise.allSettled([add('walnut'), add('basalt')]);
    const reason = expect.objectContaining({ message: 'constraint failed' });
    expect(outcomes).toEqual(Array(2).fill({ status: 'rejected', reason }));
    expect(words()).toEqual(['copper']);
  });
});

async function inTransaction<T>(work: (db: Database) => Promise<T>): Promise<T> {
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

/** A write of something that no other writes, without anything to prepare. */
function run<T>(make: () => T): Promise<T> {
  return writes.run({ subject: randomUUID(), prepare: async () => {}, make });
}

function add(word: string): Promise<string> {
  return run(() => {
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
