import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { Connections } from '../../../src/adapters/sqlite/database/connections.js';
import { LazyConnections } from '../../../src/adapters/sqlite/database/lazy-connections.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

let clock: FixedClock;
let openings: number;

beforeEach(() => {
  clock = new FixedClock();
  openings = 0;
});

/** Of a database that cannot be written, or can be. */
function connections(access: 'read' | 'write'): LazyConnections {
  return new LazyConnections({
    clock,
    connect: async () => {
      openings += 1;
      const open = () => new Database(':memory:');
      const parts = { path: '/nowhere', open, asideName: () => '/nowhere' };
      return new Connections(access === 'read' ? parts : { ...parts, writer: open() });
    },
  });
}

const pause = async (opened: LazyConnections, ms: number) => {
  clock.advance(ms);
  await opened.use(async ({ reader }) => reader.exec('SELECT 1'));
};

it('look again every few seconds at a database that cannot be written', async () => {
  const opened = connections('read');
  for (const ms of [0, 1000, 2000]) await pause(opened, ms);
  expect(openings).toBe(1);
  await pause(opened, 1);
  expect(openings).toBe(2);
  await opened.close();
});

it('keep what is in use, and a database that can be written', async () => {
  const copied = connections('read');
  await copied.use(async ({ reader }) => {
    await pause(copied, 10_000);
    reader.exec('SELECT 1');
  });
  expect(openings).toBe(1);
  const written = connections('write');
  for (const ms of [0, 10_000]) await pause(written, ms);
  expect(openings).toBe(2);
  await Promise.all([copied.close(), written.close()]);
});

it('are opened again after they were closed, and asked for again after a failure', async () => {
  const opened = connections('write');
  await pause(opened, 0);
  expect(opened.closeIfUnused()).toBe(true);
  await pause(opened, 0);
  expect(openings).toBe(2);
  await opened.close();
  let isThere = false;
  const gone = new LazyConnections({
    clock,
    connect: async () => {
      if (isThere)
        return new Connections({
          path: '/nowhere',
          open: () => new Database(':memory:'),
          asideName: () => '',
        });
      isThere = true;
      return undefined;
    },
  });
  await expect(pause(gone, 0)).rejects.toMatchObject({ code: 'store_unavailable' });
  await pause(gone, 0);
  await gone.close();
});
