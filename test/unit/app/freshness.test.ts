import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_FOREIGN_FILES_MAX } from '../../../src/app/freshness/fresh-project.js';
import type { Project } from '../../../src/app/projects/project.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/domain/settings.js';
import type { ChangedPaths, SourceWatcher } from '../../../src/ports/driven/source-watcher.js';
import { coreInMemory } from '../../support/core-in-memory.js';

const PATH = '/project';

let world: ReturnType<typeof makeWorld>;

beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.core.freshness.stop());

describe('the first search of a project that was never indexed', () => {
  it('says that it starts indexing; the next ones say that this is running, until it is done', async () => {
    const first = await search('ibex');
    expect(first).toMatchObject({ results: [], indexing: 'started' });
    expect(first.explanation).toMatchObject({
      indexing: 'started',
      notes: [{ code: 'no_match' }, { code: 'indexing' }],
    });
    const second = await search('ibex');
    expect(second).not.toHaveProperty('indexing');
    expect(second.explanation.indexing).toBe('running');
    expect(await world.core.store.isFirstIndexing(PATH)).toBe(true);
    await indexed(['docs/a.md']);
    await world.until(async () => !('indexing' in (await search('ibex')).explanation));
    expect(await world.core.store.isFirstIndexing(PATH)).toBe(false);
  });

  it('says that it is running where an ingestion began it, and starts nothing', async () => {
    let during: Awaited<ReturnType<typeof search>> | undefined;
    world.files.onListed = async () => {
      during = await search('ibex');
    };
    await world.core.store.readAllSources(PATH);
    expect(during).not.toHaveProperty('indexing');
    expect(during?.explanation.indexing).toBe('running');
    expect(await world.core.store.isFirstIndexing(PATH)).toBe(false);
    await world.core.store.readAllSources(PATH);
    expect(during?.explanation).not.toHaveProperty('indexing');
  });

  it('is the search of reflections as well', async () => {
    const answer = await world.core.store.searchReflections(PATH, 'ibex');
    expect(answer.indexing).toBe('started');
  });

  it('starts nothing where the setting is off, or the directory is no project', async () => {
    world.settings.autoReindex = false;
    expect(await search('ibex')).not.toHaveProperty('indexing');
    world = makeWorld();
    world.watcher.isProject = () => false;
    expect(await search('ibex')).not.toHaveProperty('indexing');
    expect(world.watcher.watched).toEqual([]);
  });

  it('is not the first after an ingestion', async () => {
    await world.core.store.reindex(PATH);
    expect(await search('ibex')).not.toHaveProperty('indexing');
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

  it('is left alone while it was neither searched nor indexed', async () => {
    await world.core.store.initialize(PATH);
    world.watcher.report(['docs/a.md']);
    await world.settled();
    await world.core.freshness.stop();
    expect(await sources()).toEqual([]);
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
      'Changed files could not be indexed; they are tried again after a pause.',
    );
  });

  it('is no longer looked at once it is released, nor where the setting goes off', async () => {
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
  it('is not shown, and the next chunk takes its place', async () => {
    world.files.set('docs/b.md', 'the ibex again');
    await world.core.store.reindex(PATH);
    const [{ chunk } = { chunk: undefined }] = (await search('ibex', 1)).results;
    world.files.delete(chunk?.sourceFile ?? '');
    const { results, explanation } = await search('ibex', 1);
    expect(results.map((found) => found.chunk.sourceFile)).not.toEqual([chunk?.sourceFile]);
    expect([results.length, explanation.results.length]).toEqual([1, 1]);
  });

  it('is shown where the setting is off', async () => {
    await world.core.store.reindex(PATH);
    world.files.delete('docs/a.md');
    world.settings.autoReindex = false;
    expect((await search('ibex')).results).toHaveLength(1);
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

describe('a file of a project', () => {
  let project: Project;
  let looked: string[];
  const gone = (...files: readonly string[]) => world.core.freshness.goneAmong(project, files);

  beforeEach(async () => {
    await world.core.store.readAllSources(PATH);
    project = await world.core.projects.open(PATH);
    looked = [];
    const exists = world.files.exists.bind(world.files);
    world.files.exists = (path, file) => {
      looked.push(file);
      return exists(path, file);
    };
  });

  it('that is there is not gone', async () => {
    expect(await gone('docs/a.md', 'docs/a.md')).toEqual([]);
    expect(looked).toEqual(['docs/a.md']);
  });

  it('that was indexed and is missing is gone', async () => {
    world.files.delete('docs/a.md');
    expect(await gone('docs/a.md')).toEqual(['docs/a.md']);
    world.settings.autoReindex = false;
    expect(await gone('docs/a.md')).toEqual([]);
  });

  it('of another program is not gone, and is looked for once', async () => {
    expect(await gone('theirs.md')).toEqual([]);
    expect(await gone('theirs.md', 'docs/a.md')).toEqual([]);
    expect(looked).toEqual(['theirs.md', 'docs/a.md']);
  });

  it('of another program is looked for again where there are very many', async () => {
    const many = Array.from({ length: KNOWN_FOREIGN_FILES_MAX }, (_, number) => `${number}.md`);
    await gone(...many);
    await gone(...many);
    expect(looked).toHaveLength(many.length);
    await gone('one-more.md');
    await gone('another.md');
    looked.length = 0;
    await gone('0.md');
    expect(looked).toEqual(['0.md']);
  });

  it('that cannot be looked for is not gone', async () => {
    world.files.exists = () => Promise.reject(new Error('The disk is away.'));
    expect(await gone('docs/a.md')).toEqual([]);
  });

  it('makes no search fail where the store fails, which is reported', async () => {
    world.files.delete('docs/a.md');
    project.store.chunks.indexedSources = () => Promise.reject(new Error('It is broken.'));
    expect(await gone('docs/a.md')).toEqual([]);
    expect(await world.core.freshness.searched(project)).toBeUndefined();
    expect(world.logger.entries.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: expect.stringContaining('the search went on'),
        fields: { reason: 'It is broken.' },
      },
      {
        message: expect.stringContaining('the search went on'),
        fields: { reason: 'It is broken.' },
      },
    ]);
  });

  it('is not looked at any more after a stop', async () => {
    await world.core.freshness.stop();
    const { looks } = world.watcher;
    world.clock.advance(60_000);
    world.files.delete('docs/a.md');
    expect(await gone('docs/a.md')).toEqual([]);
    expect(await world.core.freshness.searched(project)).toBeUndefined();
    expect([looked, world.watcher.looks]).toEqual([[], looks]);
  });
});

function makeWorld() {
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...DEFAULT_SETTINGS };
  const watcher = new FakeWatcher();
  const { ports, core } = coreInMemory({ watcher, settings: { read: async () => settings } });
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
  return { ...ports, settings, watcher, core, until, settled };
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
