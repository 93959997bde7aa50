import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Subject } from '../../contract/harness/contract-suite.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { hasServer, NEEDS_SERVER, SERVER_URL } from '../../support/postgres-under-test.js';
import { type PostgresHarness, postgresHarness } from './project-stores-harness.js';

/** What several sessions on one server do to each other. */
describe.skipIf(!hasServer)(`several sessions ${NEEDS_SERVER}`, () => {
  let subject: Subject & { readonly harness: PostgresHarness };
  beforeEach(async () => {
    const harness = await postgresHarness({ url: SERVER_URL, connections: 2 });
    subject = { harness, store: await harness.stores.open(harness.projectPath) };
  });
  afterEach(() => subject.harness.dispose());

  const openElsewhere = () => subject.harness.otherProcess().open(subject.harness.projectPath);

  it('give a free lease to one of several simultaneous requests', async () => {
    const stores = [subject.store, await openElsewhere(), await openElsewhere()];
    for (let race = 0; race < 20; race += 1) {
      const asked = stores.flatMap(({ upkeep }) => [
        upkeep.acquire(`race ${race}`, 60_000),
        upkeep.acquire(`race ${race}`, 60_000),
      ]);
      const got = await Promise.all(asked);
      const holders = stores.filter((_, i) => got[2 * i] === true || got[2 * i + 1] === true);
      expect(holders).toHaveLength(1);
    }
  });

  it('open a project for the first time at once', async () => {
    const { harness } = subject;
    const stores = Array.from({ length: 4 }, () => harness.otherProcess());
    const opened = await Promise.all(stores.map((other) => other.open(harness.otherProjectPath)));
    await ingest({ harness, store: opened[0] as Subject['store'] }, document('a', ['copper']));
    for (const store of opened) expect(await found({ store }, 'copper')).toEqual(['a#0']);
  });

  it('write one source at once, and the last reading stays', async () => {
    const { harness, store } = subject;
    const other = await openElsewhere();
    const write = (target: Subject['store'], text: string) =>
      ingest({ harness, store: target }, document('a', [`${text} one`, `${text} two`]));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([write(store, `copper${round}`), write(other, `walnut${round}`)]);
      const ids = [await found(subject, `copper${round}`), await found(subject, `walnut${round}`)];
      expect(ids.map(({ length }) => length).toSorted()).toEqual([0, 2]);
    }
  });

  it('go on when the server ends their connections', async () => {
    const { harness } = subject;
    await ingest(subject, document('a', ['copper']));
    const end = () =>
      executeAs(
        SERVER_URL,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'knowledge-store' AND query LIKE '%${harness.schema()}%'`,
      );
    const locking = newClient();
    await locking.connect();
    await locking.query(`BEGIN; LOCK TABLE ${harness.schema()}.chunks`);
    const inUse = [found(subject, 'copper'), ingest(subject, document('b', ['copper']))] as const;
    const refusal = expect(inUse[1]).rejects.toMatchObject({ code: 'store_unavailable' });
    await sleep(300);
    await end();
    await refusal;
    await locking.end();
    expect(await inUse[0]).toEqual(['a#0']);
    await end();
    expect(await found(subject, 'copper')).toEqual(['a#0']);
  });

  it.each([
    ['the stores are closed', ({ stores }: PostgresHarness) => stores.close()],
    ['the service begins to stop', async ({ stopping }: PostgresHarness) => stopping.abort()],
  ])('end though they wait for a lock of another one, where %s', async (_, stop) => {
    const { harness } = subject;
    const locking = newClient();
    await locking.connect();
    try {
      await locking.query(`BEGIN; LOCK TABLE ${harness.schema()}.chunks`);
      const writing = expect(ingest(subject, document('a', ['copper']))).rejects.toThrow();
      await vi.waitUntil(() => isWaiting('%'), { timeout: 5000 });
      const begin = performance.now();
      const closing = stop(harness);
      await sleep(100);
      harness.clock.advance(5000);
      await Promise.all([closing, writing]);
      expect(performance.now() - begin).toBeLessThan(5000);
    } finally {
      await locking.end();
    }
  });

  it('fail with "overloaded" and do not hang when all connections are in use', async () => {
    await ingest(subject, document('a', ['copper']));
    const locking = newClient();
    await locking.connect();
    try {
      await locking.query(`BEGIN; LOCK TABLE ${subject.harness.schema()}.chunks`);
      const begin = performance.now();
      const searches = Array.from({ length: 6 }, () => found(subject, 'copper'));
      const outcomes = await Promise.allSettled(searches);
      expect(performance.now() - begin).toBeLessThan(20_000);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
    } finally {
      await locking.end();
    }
    expect(await found(subject, 'copper')).toEqual(['a#0']);
  });
});

/** Whether a statement of ours waits for a lock. */
async function isWaiting(statement: string): Promise<boolean> {
  const rows = await executeAs(
    SERVER_URL,
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'knowledge-store'
       AND wait_event_type = 'Lock' AND query LIKE $1`,
    [statement],
  );
  return rows.length > 0;
}

function newClient(): Client {
  return new Client({ connectionString: SERVER_URL });
}
