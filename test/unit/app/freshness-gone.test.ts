import { beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_FOREIGN_FILES_MAX } from '../../../src/app/freshness/fresh-project.js';
import type { Project } from '../../../src/app/projects/project.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';

let world: CoreInMemory;
let project: Project;
let looks: number;
let looked: string[];
let autoReindex: boolean;

beforeEach(async () => {
  [looks, looked, autoReindex] = [0, [], true];
  const changes = async () => {
    looks += 1;
    return [];
  };
  world = coreInMemory({
    watcher: { isProject: () => true, watch: () => ({ changes }) },
    settings: { read: async () => ({ ...DEFAULT_SETTINGS, autoReindex }) },
  });
  world.ports.files.set('docs/a.md', 'the ibex');
  await world.core.store.readAllSources(P);
  project = await world.core.projects.open(P);
  const { files } = world.ports;
  const exists = files.exists.bind(files);
  files.exists = (path, file) => {
    looked.push(file);
    return exists(path, file);
  };
});

const gone = (...files: readonly string[]) => world.core.freshness.goneAmong(project, files);

describe('a file', () => {
  it('that is there is not gone', async () => {
    expect(await gone('docs/a.md', 'docs/a.md')).toEqual([]);
    expect(looked).toEqual(['docs/a.md']);
  });

  it('that was indexed and is missing is gone', async () => {
    world.ports.files.delete('docs/a.md');
    expect(await gone('docs/a.md')).toEqual(['docs/a.md']);
    autoReindex = false;
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

  it('that was pushed is not gone', async () => {
    await world.core.documents.pushDocument(P, { path: 'pushed.md', content: 'the okapi' });
    expect(await gone('pushed.md')).toEqual([]);
  });

  it('that cannot be looked for is not gone', async () => {
    world.ports.files.exists = () => Promise.reject(new Error('The disk is away.'));
    expect(await gone('docs/a.md')).toEqual([]);
  });
});

it('a store that fails makes no search fail, but is reported', async () => {
  world.ports.files.delete('docs/a.md');
  project.store.chunks.indexedSources = () => Promise.reject(new Error('It is broken.'));
  expect(await gone('docs/a.md')).toEqual([]);
  expect(await world.core.freshness.searched(project)).toBeUndefined();
  expect(world.ports.logger.entries.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: expect.stringContaining('the search went on'), fields: { reason: 'It is broken.' } },
    { message: expect.stringContaining('the search went on'), fields: { reason: 'It is broken.' } },
  ]);
});

it('after a stop nothing is looked at any more', async () => {
  await world.core.freshness.stop();
  const before = looks;
  world.ports.clock.advance(60_000);
  world.ports.files.delete('docs/a.md');
  expect(await gone('docs/a.md')).toEqual([]);
  expect(await world.core.freshness.searched(project)).toBeUndefined();
  expect([looked, looks]).toEqual([[], before]);
});
