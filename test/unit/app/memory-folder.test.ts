import { describe, expect, it } from 'vitest';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { coreInMemory } from '../../support/core-in-memory.js';
import { memoryStores, SharedDatabases } from '../../support/sqlite-stores.js';

/** As the code has it. */
const LEASE_MS = 10_000;
const FILE = '.knowledge/memory/storage.md';

describe('editing a category', () => {
  it('loses no edit of two processes that edit at once', async () => {
    const files = new InMemoryProjectFiles();
    const disk = new SharedDatabases();
    const processes = [await startProcess(files, disk), await startProcess(files, disk)];
    const edits = Array.from({ length: 30 }, (_, i) =>
      processes[i % 2]?.edit((text) => `${text}line ${i}\n`),
    );
    await Promise.all(edits);
    const lines = files.text(FILE)?.trim().split('\n') ?? [];
    expect(lines.toSorted()).toEqual(Array.from({ length: 30 }, (_, i) => `line ${i}`).toSorted());
  });

  it('is repeated if a program without a lease wrote in between', async () => {
    const files = new InMemoryProjectFiles({ [FILE]: 'old\n' });
    const { edit } = await startProcess(files);
    let seen = 0;
    await edit((text) => {
      seen += 1;
      if (seen === 1) files.set(FILE, 'by hand\n');
      return `${text}new\n`;
    });
    expect(files.text(FILE)).toBe('by hand\nnew\n');
  });

  it('fails if the file changes every time', async () => {
    const files = new InMemoryProjectFiles();
    const { edit } = await startProcess(files);
    const failing = edit((text) => {
      files.set(FILE, `${text}.`);
      return 'never';
    });
    await expect(failing).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(files.text(FILE)).not.toContain('never');
  });

  it('is refused after 15 s of waiting for another process, and done when that is over', async () => {
    const files = new InMemoryProjectFiles();
    const disk = new SharedDatabases();
    const { clock, edit } = await startProcess(files, disk);
    const { upkeep: leases } = await memoryStores({ clock, databases: disk }).open('/project');
    let isWorking = true;
    const work = async () => {
      while (isWorking) {
        await leases.acquire('memory', LEASE_MS);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const working = work();
    await expect(edit(() => 'text')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('changing the memory of'),
    });
    isWorking = false;
    await working;
    expect(await edit(() => 'text')).toEqual({ text: 'text' });
  });

  it('continues soon after a process died while editing', async () => {
    const [files, disk] = [new InMemoryProjectFiles(), new SharedDatabases()];
    const dead = await startProcess(files, disk, new FixedClock());
    const dying = dead.edit(() => {
      files.replaceText = () => new Promise(() => {});
      return 'lost';
    });
    await Promise.race([dying, new Promise((resolve) => setImmediate(resolve))]);
    const { edit } = await startProcess(new InMemoryProjectFiles(), disk);
    expect(await edit(() => 'text')).toEqual({ text: 'text' });
  });

  it('releases the lease if it fails', async () => {
    const disk = new SharedDatabases();
    const files = new InMemoryProjectFiles();
    const [first, second] = [await startProcess(files, disk), await startProcess(files, disk)];
    const bug = new TypeError('a bug');
    const failing = first.edit(() => {
      throw bug;
    });
    await expect(failing).rejects.toBe(bug);
    expect(await second.project.store.upkeep.acquire('memory', LEASE_MS)).toBe(true);
  });
});

describe('replacing a category', () => {
  it('leaves one alone that vanishes before its copy', async () => {
    const files = new InMemoryProjectFiles({ [FILE]: 'old\n' });
    const { memory, project } = await startProcess(files);
    const before = await memory.readCategory(project, 'storage');
    if (before === undefined) throw new Error('There is no category.');
    const copy = files.copy.bind(files);
    files.copy = (...args) => {
      files.delete(FILE);
      return copy(...args);
    };
    expect(await memory.replaceCategory(project, 'storage', { before, text: 'new' })).toBe(false);
    expect(files.paths).toEqual([]);
  });
});

/** What one process has: its own store over the disk that all share. */
async function startProcess(
  files: InMemoryProjectFiles,
  disk = new SharedDatabases(),
  clock: FixedClock = new RestlessClock(),
) {
  const { core } = coreInMemory({ files, clock, stores: memoryStores({ clock, databases: disk }) });
  const { memory } = core;
  const project = await core.projects.open('/project');
  const edit = (change: (text: string) => string) =>
    memory.editCategory(project, 'storage', change);
  return { clock, memory, project, edit };
}

/**
 * Whoever sleeps wakes up in the next turn of the event loop, the time having passed. Upkeep that sleeps for minutes
 * does not: a lease would be over at once.
 */
class RestlessClock extends FixedClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms >= 60_000) return super.sleep(ms, signal);
    await new Promise((resolve) => setImmediate(resolve));
    this.advance(ms);
  }
}
