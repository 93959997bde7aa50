import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchDeps } from '../../../src/app/watch/project-watch.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.js';
import type { ChangedPaths, SourceWatcher } from '../../../src/ports/source-watcher.js';
import { coreInMemory } from '../../support/core-in-memory.js';
import { memoryStores } from '../../support/sqlite-stores.js';

const PATH = '/project';

let world: ReturnType<typeof makeWorld>;

beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.core.projects.stop());

describe('the first search of a project that was never indexed', () => {
  it('says that it starts indexing; the next ones say that this is running, until it is done', async () => {
    const first = await search('ibex');
    expect(first.results).toEqual([]);
    expect(first.explanation).toMatchObject({
      indexing: 'started',
      notes: [{ code: 'no_match' }, { code: 'indexing' }],
    });
    const second = await search('ibex');
    expect(second.explanation.indexing).toBe('running');
    expect(await isFirstIndexing()).toBe(true);
    await indexed(['docs/a.md']);
    await world.until(async () => !('indexing' in (await search('ibex')).explanation));
    expect(await isFirstIndexing()).toBe(false);
  });

  it('reports that it is running if an ingestion began it, and starts nothing', async () => {
    let during: Awaited<ReturnType<typeof search>> | undefined;
    world.files.onListed = async () => {
      during = await search('ibex');
    };
    await world.core.store.readAllSources(PATH);
    expect(during?.explanation.indexing).toBe('running');
    expect(await isFirstIndexing()).toBe(false);
    await world.core.store.readAllSources(PATH);
    expect(during?.explanation).not.toHaveProperty('indexing');
  });

  it('is also the search for reflections', async () => {
    const answer = await world.core.store.searchReflections(PATH, 'ibex');
    expect(answer.explanation.indexing).toBe('started');
  });

  it('starts nothing if the setting is off, or if the directory is not a project', async () => {
    const neverIndexed = { notes: [{ code: 'never_indexed' }] };
    world.settings.autoReindex = false;
    expect((await search('ibex')).explanation).toMatchObject(neverIndexed);
    world = makeWorld();
    world.watcher.isProject = () => false;
    const { explanation } = await search('ibex');
    expect(explanation).toMatchObject(neverIndexed);
    expect(explanation).not.toHaveProperty('indexing');
    expect(world.watcher.watched).toEqual([]);
  });

  it('starts nothing on request, and reports it until the project is indexed', async () => {
    const codes = async () => {
      const request = { projectPath: PATH, query: 'ibex', neverIndexed: 'leave' } as const;
      const { explanation } = await world.useCases.search.answer(request);
      return explanation.notes.map(({ code }) => code);
    };
    expect([await codes(), await codes()]).toEqual([['never_indexed'], ['never_indexed']]);
    await world.settled();
    expect(world.watcher.looks).toBe(0);
    await world.core.store.reindex(PATH);
    expect(await codes()).toEqual([]);
  });

  it('is not the first after an ingestion, even of a project without sources', async () => {
    world.files.delete('docs/a.md');
    await world.core.store.reindex(PATH);
    const { explanation } = await search('ibex');
    expect(explanation).not.toHaveProperty('indexing');
    expect(explanation.notes.map(({ code }) => code)).toEqual(['no_match']);
  });
});

describe('a project in use', () => {
  it('is indexed as its files change', async () => {
    await world.core.store.reindex(PATH);
    world.files.set('docs/b.md', 'the okapi');
    world.files.delete('docs/a.md');
    world.watcher.report(['docs/a.md', 'docs/b.md']);
    await indexed(['docs/b.md']);
  });

  it('has its citations judged once for each look, whether or not its files changed', async () => {
    world = makeWorld('before searches', 'files');
    await search('ibex');
    const { citations } = await world.stores.open(PATH);
    const { citedPaths } = citations;
    let judged = 0;
    Object.assign(citations, {
      citedPaths: () => {
        judged += 1;
        return citedPaths.call(citations);
      },
    });
    world.watcher.report(['docs/a.md']);
    await search('ibex');
    expect(judged).toBe(1);
    await search('ibex');
    expect(judged).toBe(2);
  });

  it('is kept up to date as far as it was indexed', async () => {
    const feature = '.knowledge/features/f';
    world.files.set(`${feature}/reflection.md`, 'the okapi');
    world.files.set(`${feature}/agent-output.md`, 'the tapir');
    await world.core.store.ingestReflections(PATH);
    await world.settled();
    expect(await sources()).toEqual([`${feature}/reflection.md`]);
    world.files.set('.knowledge/features/g/reflection.md', 'the ibis');
    world.watcher.report(['.knowledge/features/g/reflection.md', 'docs/a.md']);
    await indexed([`${feature}/reflection.md`, '.knowledge/features/g/reflection.md']);
    await world.core.store.readAllSources(PATH);
    world.files.set('docs/b.md', 'the okapi');
    world.watcher.report(['docs/b.md']);
    await world.until(async () => (await sources()).includes('docs/b.md'));
    expect(await sources()).toHaveLength(5);
  });

  it('is indexed as far as before in a store that replaces the one that replaced its own', async () => {
    const reflection = '.knowledge/features/f/reflection.md';
    world.files.set(reflection, 'the okapi');
    await world.core.store.ingestReflections(PATH);
    await world.settled();
    const stores = [];
    for (let time = 0; time < 2; time += 1) {
      stores.push(await memoryStores({ clock: world.clock }).open(PATH));
    }
    const [, third = await world.stores.open(PATH)] = stores;
    world.stores.find = async () => third;
    for (const store of stores) {
      world.watcher.report(undefined);
      world.stores.open = async () => store;
      await world.core.projects.open(PATH);
    }
    await world.settled();
    const found = (await third.chunks.indexedSources()).map(({ sourceFile }) => sourceFile);
    expect(found).toEqual([reflection]);
  });

  it('is indexed in the store that another process has created, without a request to this one', async () => {
    await world.core.store.readAllSources(PATH);
    await world.settled();
    const made = await memoryStores({ clock: world.clock }).open(PATH);
    await made.upkeep.acquire('watch', 30_000);
    world.stores.find = async () => made;
    await world.until(async () => (await made.chunks.indexedSources()).length === 1);
    world.files.set('docs/b.md', 'the okapi');
    world.watcher.report(['docs/b.md']);
    await world.until(async () => (await made.chunks.indexedSources()).length === 2);
  });

  it('is indexed in a store that replaces one into which it was read a moment ago', async () => {
    await world.core.store.readAllSources(PATH);
    const made = await memoryStores({ clock: world.clock }).open(PATH);
    world.stores.open = world.stores.find = async () => made;
    await world.core.projects.open(PATH);
    await world.until(async () => (await made.chunks.indexedSources()).length === 1);
  });

  it('is left alone while it was neither searched nor indexed', async () => {
    await world.core.store.initialize(PATH);
    world.watcher.report(['docs/a.md']);
    await world.settled();
    await world.core.projects.stop();
    expect(await sources()).toEqual([]);
  });

  it('is left to the process that indexes it for the first time, so that no file is read twice', async () => {
    const { store } = await world.core.projects.open(PATH);
    await store.upkeep.acquire('first indexing', 60_000);
    world.files.set('.knowledge/features/f/reflection.md', 'the okapi');
    await world.core.store.ingestReflections(PATH);
    await world.settled();
    expect(world.watcher.looks).toBe(0);
    await store.upkeep.release('first indexing');
    await world.until(() => world.watcher.looks > 0);
  });

  it('is tried again after a failure', async () => {
    await search('ibex');
    world.files.onListed = () => {
      world.files.onListed = () => {};
      throw new Error('The disk is away.');
    };
    await world.until(() => world.logger.messages('warn').length > 0);
    expect((await search('ibex')).explanation.indexing).toBe('running');
    await indexed(['docs/a.md']);
    expect(world.logger.messages('warn')).toContain(
      'Changed files could not be indexed and will be retried.',
    );
  });

  it('is no longer checked once it is released, or if the setting is turned off', async () => {
    await search('ibex');
    await indexed(['docs/a.md']);
    await world.core.projects.release(PATH);
    const { looks } = world.watcher;
    await world.settled();
    expect(world.watcher.looks).toBe(looks);
    world.settings.autoReindex = false;
    await search('ibex');
    await world.settled();
    expect(world.watcher.looks).toBe(looks);
  });
});

describe('a file that is gone', () => {
  it('is removed by the next look, not by a search', async () => {
    await search('ibex');
    await indexed(['docs/a.md']);
    world.files.delete('docs/a.md');
    expect((await search('ibex')).results).toHaveLength(1);
    world.watcher.report(['docs/a.md']);
    await indexed([]);
  });

  it('keeps its rows if its directory was moved away with the store', async () => {
    await search('ibex');
    await indexed(['docs/a.md']);
    world.files.delete('docs/a.md');
    world.stores.find = async () => undefined;
    world.watcher.report(['docs/a.md']);
    await world.settled();
    expect(await sources()).toEqual(['docs/a.md']);
  });
});

describe('settings', () => {
  it('apply from the next search on', async () => {
    await search('ibex');
    await indexed(['docs/a.md']);
    const project = await world.core.projects.open(PATH);
    for (const hybridRetrieval of [false, true]) {
      world.settings.hybridRetrieval = hybridRetrieval;
      expect(await project.prepareSearch()).toMatchObject({ hybridRetrieval });
    }
  });
});

describe('files that are checked before searches', () => {
  beforeEach(async () => {
    await world.core.projects.stop();
    world = makeWorld('before searches');
  });

  it('a search indexes the project first, and finds what has changed since the last one', async () => {
    expect((await search('ibex')).results).toHaveLength(1);
    world.files.set('docs/a.md', 'the okapi');
    world.watcher.report(['docs/a.md']);
    expect((await search('ibex')).results).toEqual([]);
    expect((await search('okapi')).results).toHaveLength(1);
  });

  it('a search continues if the check fails', async () => {
    await search('ibex');
    world.watcher.report(['docs/a.md']);
    world.files.onListed = () => {
      throw new Error('The disk is away.');
    };
    expect((await search('ibex')).results).toHaveLength(1);
    expect(world.logger.messages('warn')).toHaveLength(1);
  });

  it('nothing is looked at without a search', async () => {
    await world.core.store.initialize(PATH);
    world.clock.advance(60_000);
    expect([world.watcher.looks, await sources()]).toEqual([0, []]);
  });
});

function makeWorld(
  fileChecks: WatchDeps['fileChecks'] = 'at intervals',
  cites: 'files' | 'nothing' = 'nothing',
) {
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...DEFAULT_SETTINGS };
  const watcher = new FakeWatcher();
  const { ports, core, useCases } = coreInMemory(
    {
      watcher,
      settings: { read: async () => ({ ...settings }) },
    },
    { fileChecks, cites },
  );
  ports.files.set('docs/a.md', 'the ibex');
  /** Lets time pass until a condition holds. */
  const until = async (holds: () => boolean | Promise<boolean>) => {
    for (let turn = 0; !(await holds()); turn += 1) {
      if (turn > 500) throw new Error('It did not happen.');
      ports.clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const settled = async () => {
    let turns = 0;
    await until(() => {
      turns += 1;
      return turns > 50;
    });
  };
  return { ...ports, settings, watcher, core, useCases, until, settled };
}

class FakeWatcher implements SourceWatcher {
  readonly watched: string[] = [];
  looks = 0;
  /** What the next looks find. */
  readonly #found: ChangedPaths[] = [undefined];

  isProject = (_path: string): boolean => true;

  watch(path: string) {
    this.watched.push(path);
    return {
      changes: async () => {
        this.looks += 1;
        return this.#found.length > 0 ? this.#found.shift() : [];
      },
    };
  }

  report(paths: ChangedPaths): void {
    this.#found.push(paths);
  }
}

async function isFirstIndexing(): Promise<boolean | undefined> {
  return (await world.stores.find(PATH))?.upkeep.isHeld('first indexing');
}

function search(text: string, maxResults = 20) {
  return world.core.store.search(PATH, text, { maxResults });
}

async function sources(): Promise<readonly string[]> {
  const store = await world.stores.open(PATH);
  return (await store.chunks.indexedSources()).map(({ sourceFile }) => sourceFile).toSorted();
}

function indexed(files: readonly string[]): Promise<void> {
  return world.until(async () => JSON.stringify(await sources()) === JSON.stringify(files));
}
