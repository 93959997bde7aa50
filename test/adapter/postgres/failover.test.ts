import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresFailover } from '../../../bench/faults/postgres-failover.js';
import { Random } from '../../../bench/faults/random.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { freePort, PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { eventually } from '../../support/running-service.js';
import { type PostgresHarness, postgresHarness } from './project-stores-harness.js';

describe.skipIf(!hasServerPrograms)(`several hosts ${NEEDS_PROGRAMS}`, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  beforeAll(async () => {
    primary = await PostgresServer.create(SERVER_BIN, 'kept');
    replica = await PostgresServer.following(primary);
  });
  afterAll(async () => {
    await replica?.remove();
    await primary?.remove();
  });

  it.each([
    ['a replica', () => new URL(replica.url).host],
    ['no server', async () => `127.0.0.1:${await freePort()}`],
    ['a name that is not known', () => 'no-such-host.invalid'],
  ])('of which the first is that of %s', async (_, first) => {
    const harness = await harnessOn(await first(), new URL(primary.url).host);
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    await ingest(subject, document('a', ['copper']));
    expect(await found(subject, 'copper')).toEqual(['a#0']);
    await harness.stores.close();
  });

  it('of which none accepts writes', async () => {
    const { host } = new URL(replica.url);
    const harness = await harnessOn(host, `127.0.0.1:${await freePort()}`, host);
    const opening = harness.stores.open(harness.projectPath);
    await expect(opening).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('accepts no writes'),
    });
    await harness.stores.close();
  });

  it('keep confirmed writes, and answer soon, when a replica takes over', async () => {
    const size = { rounds: 1, seconds: 0, processes: 1 };
    const { lost, wrong, acknowledged } = await postgresFailover.run({
      ...size,
      random: new Random(42),
    });
    expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
    expect(acknowledged).toBeGreaterThan(0);
  });

  it('switch to the other server once it is promoted and the one in use is read-only', async () => {
    const [first, second] = [primary, replica].map(({ url }) => new URL(url).host);
    const harness = await harnessOn(`${first}`, `${second}`);
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    await ingest(subject, document('a', ['copper']));
    await eventually(async () => (await executeAs(replica.url, LAG))[0]?.bytes === 0);
    await executeAs(replica.url, 'SELECT pg_promote()');
    await executeAs(primary.url, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await executeAs(primary.url, 'SELECT pg_reload_conf()');
    await eventually(
      async () =>
        (await executeAs(primary.url, 'SHOW transaction_read_only'))[0]?.transaction_read_only ===
        'on',
    );
    await ingest(subject, document('b', ['copper']));
    expect(await found(subject, 'copper')).toEqual(['a#0', 'b#0']);
    await harness.stores.close();
  });
});

/** How far the replica is behind. */
const LAG =
  'SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())::int AS bytes';

function harnessOn(...hosts: readonly string[]): Promise<PostgresHarness> {
  return postgresHarness({
    url: `postgres://postgres@${hosts.join(',')}/postgres`,
    connections: 2,
  });
}
