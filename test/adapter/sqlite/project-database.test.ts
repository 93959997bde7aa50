import { beforeEach, expect, it } from 'vitest';
import { Connections } from '../../../src/adapters/sqlite/database/connections.js';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { ProjectDatabase } from '../../../src/adapters/sqlite/database/project-database.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

let clock: FixedClock;
let openings: number;

beforeEach(() => {
  clock = new FixedClock();
  openings = 0;
});

/** One that cannot be written, or can be. */
function database(access: 'read' | 'write', isThere = () => true): ProjectDatabase {
  return new ProjectDatabase({
    clock,
    onDamage: () => undefined,
    stopWaiting: new AbortController().signal,
    connect: async () => {
      openings += 1;
      const open = () => new Database(':memory:');
      const parts = { path: '/nowhere', file: undefined, open, asideName: () => '/nowhere' };
      if (!isThere()) return undefined;
      return new Connections(access === 'read' ? parts : { ...parts, writer: open() });
    },
  });
}

const pause = async (opened: ProjectDatabase, ms: number) => {
  clock.advance(ms);
  await opened.read((db) => db.exec('SELECT 1'));
};

it('looks again every few seconds at a file that cannot be written', async () => {
  const opened = database('read');
  for (const ms of [0, 1000, 2000]) await pause(opened, ms);
  expect(openings).toBe(1);
  await pause(opened, 1);
  expect(openings).toBe(2);
  await opened.close();
});

it('keeps open what can be written', async () => {
  const opened = database('write');
  for (const ms of [0, 10_000]) await pause(opened, ms);
  expect(openings).toBe(1);
  await opened.close();
});

it('is opened again after it was closed, and asked for again after a failure', async () => {
  const opened = database('write');
  await pause(opened, 0);
  expect(opened.closeIfUnused()).toBe(true);
  await pause(opened, 0);
  expect(openings).toBe(2);
  await opened.close();
  const gone = database('write', () => openings > 3);
  await expect(pause(gone, 0)).rejects.toMatchObject({ code: 'store_unavailable' });
  await pause(gone, 0);
  await gone.close();
});
