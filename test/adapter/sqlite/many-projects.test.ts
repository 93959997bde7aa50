import { mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { document } from '../../support/chunks.js';
import { until } from '../../support/enrichment-world.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { tempDirectory } from '../../support/temp-project.js';

const MAX_OPEN = 4;
const IDLE_MS = 1000;

let root = '';
let clock: FixedClock;
let stores: ReturnType<typeof sqliteStores>;

beforeEach(() => {
  root = tempDirectory('many-projects-');
  clock = new FixedClock();
  stores = sqliteStores({ clock, idleMs: IDLE_MS, maxOpen: MAX_OPEN });
});
afterEach(async () => {
  await stores.close();
  rmSync(root, { recursive: true, force: true });
});

describe.runIf(process.platform === 'linux')('many projects in one process', () => {
  it('keep their data, with few files open', async () => {
    const paths = Array.from({ length: 36 }, (_, number) => newProject(`p${number}`));
    for (const path of paths) {
      const { chunks } = await stores.open(path);
      await chunks.replaceSources([{ sourceFile: 'a.md', document: document('a.md', [path]) }]);
      expect(openProjects().size).toBeLessThanOrEqual(MAX_OPEN + 1);
    }
    for (const path of paths) {
      const [chunk] = await (await stores.open(path)).chunks.getChunks(['a.md#0']);
      expect(chunk?.content).toBe(path);
    }
    await until(() => openProjects().size <= MAX_OPEN);
    clock.advance(IDLE_MS);
    await until(() => openProjects().size === 0);
  });

  it('keep their leases while they are closed', async () => {
    const store = await stores.open(newProject('leased'));
    await store.upkeep.acquire('work', 60_000);
    clock.advance(IDLE_MS);
    await until(() => openProjects().size === 0);
    expect(await store.upkeep.acquire('work', 60_000)).toBe(true);
  });
});

describe('a project whose directory goes away while its store is closed', () => {
  it('is not made again by those who still hold its store', async () => {
    const path = newProject('gone');
    const store = await stores.open(path);
    clock.advance(IDLE_MS);
    await until(() => openProjects().size === 0);
    rmSync(path, { recursive: true });
    await expect(store.chunks.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(readdirSync(root)).toEqual([]);
  });
});

function newProject(name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  return path;
}

/** The projects of which this process has a file open. */
function openProjects(): ReadonlySet<string> {
  const links = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
  const inside = links.filter((link) => link.startsWith(root));
  return new Set(inside.map((link) => link.slice(root.length).split('/')[1] ?? ''));
}

/** A descriptor may be closed between the listing and the reading. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
