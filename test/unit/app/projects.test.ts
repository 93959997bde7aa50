import { beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { noCiting } from '../../../src/app/citations/citation-finder.js';
import { noCitations } from '../../../src/app/citations/citation-judge.js';
import type { Enrichment } from '../../../src/app/enrichment/enrichment.js';
import { noRefusals } from '../../../src/app/enrichment/refused-texts.js';
import { Ingestion } from '../../../src/app/ingestion/ingestion.js';
import { SourceReader } from '../../../src/app/ingestion/source-reader.js';
import { Projects } from '../../../src/app/projects/projects.js';
import { noSourceWatcher } from '../../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../../src/app/wiring/variants.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import type { FileListing } from '../../../src/ports/project-files.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { turnOver, until } from '../../support/enrichment-world.js';
import { recordedTreatments } from '../../support/recorded-treatments.js';
import { memoryStores } from '../../support/sqlite-stores.js';

const PATH = '/project';
const IDLE_MS = 300_000;
const REFILLING = {
  code: 'store_unavailable',
  message:
    'The knowledge store was damaged and is being refilled from its sources; try again in a few seconds.',
};

let world: ReturnType<typeof makeWorld>;

beforeEach(() => {
  world = makeWorld();
});

describe('a project whose store is sound', () => {
  it('opens under its canonical path and is woken once', async () => {
    const [first, second] = await Promise.all([open('/link'), open('/link')]);
    expect(first.path).toBe(PATH);
    expect(second.store).toBe(first.store);
    expect([world.woken, world.used]).toEqual([[PATH], [PATH]]);
    expect(world.files.readings).toBe(0);
  });
});

describe('a project that is idle', () => {
  it('is given up, and prepared again at its next use', async () => {
    const project = await open();
    expect(world.projects.inUse()).toEqual([project]);
    await world.projects.release(PATH);
    expect([world.released, world.projects.inUse()]).toEqual([[PATH], []]);
    await open();
    expect(world.woken).toEqual([PATH, PATH]);
  });

  it('is given up after the time that is set, and not before', async () => {
    await open();
    await pass(IDLE_MS - 1);
    await open();
    await pass(IDLE_MS - 1);
    expect(world.released).toEqual([]);
    await pass(1);
    expect(world.released).toEqual([PATH]);
    expect(world.clock.sleepers).toBe(0);
  });

  it('is not given up while there is something to do for it in the background', async () => {
    world.isWorking = true;
    await open();
    await pass(IDLE_MS);
    expect(world.released).toEqual([]);
    world.isWorking = false;
    await pass(IDLE_MS);
    expect(world.released).toEqual([PATH]);
  });

  it('is kept by nothing once the service stops', async () => {
    await open();
    await world.projects.stop();
    await open('/other');
    expect(world.clock.sleepers).toBe(0);
    expect([world.woken, world.released]).toEqual([[PATH], [PATH, '/other']]);
  });

  it('is not given up while it is refilled', async () => {
    await loseContents();
    const finish = world.files.hold();
    await expect(open()).rejects.toMatchObject(REFILLING);
    await world.projects.release(PATH);
    expect(world.released).toEqual([]);
    await expect(open()).rejects.toMatchObject(REFILLING);
    finish();
    await until(isRefilled);
    expect(world.files.readings).toBe(1);
  });
});

describe('a project that is opened for reading', () => {
  it('has no store if there is none, and gets none', async () => {
    expect(await world.projects.find('/link')).toBeUndefined();
    expect(await world.stores.find(PATH)).toBeUndefined();
    expect(world.woken).toEqual([]);
  });

  it('has the store that it has elsewhere', async () => {
    const { store } = await open();
    const project = await world.projects.find(PATH);
    expect(project).toMatchObject({ path: PATH, store });
    expect(world.woken).toEqual([PATH]);
  });
});

describe('a project whose store lost its contents', () => {
  beforeEach(loseContents);

  it('is unavailable while it is refilled, and refilled once for all who ask', async () => {
    const release = world.files.hold();
    const askers = await Promise.allSettled([open(), open(), open()]);
    expect(askers).toMatchObject(askers.map(() => ({ status: 'rejected', reason: REFILLING })));
    await turnOver();
    await expect(open()).rejects.toMatchObject(REFILLING);
    expect(world.woken).toEqual([]);
    release();
    await until(isRefilled);
    expect(world.files.readings).toBe(1);
  });

  it('works afterwards, with the content of its sources, and remembers that it is filled', async () => {
    const treatments = recordedTreatments(await world.stores.open(PATH));
    await expect(open()).rejects.toMatchObject(REFILLING);
    await until(isRefilled);
    const { store } = await open();
    expect(await store.chunks.stats()).toMatchObject({ totalChunks: 1 });
    expect(treatments).toEqual(['rebuild']);
    expect(world.woken).toEqual([PATH]);
    expect(world.logger.entries).toEqual([
      {
        level: 'info',
        message: 'The knowledge store was refilled from its sources.',
        fields: { project: PATH, files: 1 },
      },
    ]);
  });

  it('is refilled again by the next request if refilling failed', async () => {
    world.files.failure = new Error('The folder cannot be read.');
    await expect(open()).rejects.toMatchObject(REFILLING);
    await until(() => world.logger.messages('error').length === 1);
    expect(world.logger.entries[0]).toMatchObject({
      message: 'The knowledge store could not be refilled; the next request will try again.',
      fields: { error: world.files.failure },
    });
    expect(world.woken).toEqual([]);
    world.files.failure = undefined;
    await expect(open()).rejects.toMatchObject(REFILLING);
    await until(isRefilled);
    expect(await (await open()).store.chunks.stats()).toMatchObject({ totalChunks: 1 });
  });

  it.each(['open', 'find'] as const)(
    'is waited for by the %s of a process that ends with its call',
    async (method) => {
      world = makeWorld('wait');
      await loseContents();
      const project = await world.projects[method](PATH);
      expect(await project?.store.chunks.stats()).toMatchObject({ totalChunks: 1 });
      expect(world.files.readings).toBe(1);
    },
  );

  it('is refused by a process that ends with its call if refilling failed', async () => {
    world = makeWorld('wait');
    await loseContents();
    world.files.failure = new Error('The folder cannot be read.');
    await expect(open()).rejects.toMatchObject(REFILLING);
    world.files.failure = undefined;
    expect(await (await open()).store.chunks.stats()).toMatchObject({ totalChunks: 1 });
  });

  it('leaves other projects alone', async () => {
    const release = world.files.hold();
    await expect(open()).rejects.toMatchObject(REFILLING);
    expect((await open('/other')).path).toBe('/other');
    release();
    await until(isRefilled);
  });
});

/** The store says that it replaces a damaged one. */
async function loseContents(): Promise<void> {
  Object.assign(await world.stores.open(PATH), { needsReindexing: true });
}

async function pass(ms: number): Promise<void> {
  world.clock.advance(ms);
  await turnOver();
}

function open(path = PATH) {
  return world.projects.open(path);
}

function isRefilled(): boolean {
  return world.logger
    .messages('info')
    .includes('The knowledge store was refilled from its sources.');
}

function makeWorld(whileRefilling: 'refuse' | 'wait' = 'refuse') {
  const [clock, logger] = [new FixedClock(), new SilentLogger()];
  const stores = memoryStores({ clock });
  const files = new OneCategory();
  const settings = { read: async () => DEFAULT_SETTINGS };
  const frontmatter = { parse: () => undefined };
  const shared = { files, clock, logger, appDirs: appDirectories('.knowledge') };
  const reader = new SourceReader({ ...shared, frontmatter, citing: noCiting });
  const ingestion = new Ingestion({ ...shared, reader, settings, ...searchOnlyVariant() });
  const woken: string[] = [];
  const released: string[] = [];
  const enrichment: Enrichment = {
    workOn: ({ path }) => ({
      schedule: () => void woken.push(path),
      get isRunning() {
        return world.isWorking;
      },
      isRetrying: false,
      refusals: noRefusals(),
      stop: async () => void released.push(path),
    }),
    stop: () => {},
  };
  const directories = {
    resolve: async (path: string) => (path === '/link' ? PATH : path),
  };
  const limits = { clock, idleMs: IDLE_MS };
  const used: string[] = [];
  const projectHistory = { remember: (path: string) => void used.push(path) };
  const ports = {
    directories,
    projectHistory,
    stores,
    ingestion,
    settings,
    enrichment,
    logger,
    ...limits,
    citations: noCitations,
    watcher: noSourceWatcher,
    quietSessions: { collect: async () => {} },
    fileChecks: 'at intervals',
    background: 'at once',
  } as const;
  const projects = new Projects({ ...ports, whileRefilling });
  return { projects, stores, files, used, woken, released, logger, clock, isWorking: false };
}

/** The files of a project that has nothing but one category. */
class OneCategory extends InMemoryProjectFiles {
  /** How often the categories were listed. */
  readings = 0;
  failure: Error | undefined;
  #held: Promise<void> | undefined;

  constructor() {
    super({ '.knowledge/memory/storage.md': '# storage\n\nThe journal is a WAL.\n' });
  }

  /** Keeps readers waiting until the answer is called. */
  hold(): () => void {
    let release = (): void => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  }

  override async listFolder(project: string, folder: string): Promise<FileListing> {
    if (!folder.endsWith('/memory')) return super.listFolder(project, folder);
    this.readings += 1;
    await this.#held;
    if (this.failure !== undefined) throw this.failure;
    return super.listFolder(project, folder);
  }
}
