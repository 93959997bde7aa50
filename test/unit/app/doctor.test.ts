import { beforeEach, describe, expect, it } from 'vitest';
import { KnowledgeError } from '../../../src/domain/errors.js';
import type { Leftover } from '../../../src/ports/driven/leftovers.js';
import type { StoreProblem } from '../../../src/ports/driven/store-care.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const TEMPORARY = { kind: 'temporary', path: '.knowledge/notes/.x.tmp', bytes: 1 } as const;

let world: CoreInMemory;
let leftovers: Leftover[];
let embedder: FakeEmbedder;

beforeEach(async () => {
  leftovers = [];
  embedder = new FakeEmbedder();
  world = coreInMemory({ embedder, leftovers: { find: async () => [...leftovers] } });
  world.ports.files.set('docs/a.md', '## One\nthe ibex\n\n## Two\nthe okapi');
  await world.core.store.readAllSources(P);
});

const examine = () => world.core.recovery.examine(P);
const repair = () => world.core.recovery.repair(P);

describe('a diagnosis', () => {
  it('of a sound store says what is still to be embedded', async () => {
    const { healthy, problems, notes } = await examine();
    expect([healthy, problems]).toEqual([true, []]);
    expect(notes).toEqual([expect.stringMatching(/^2 chunks have no vector yet: the background/)]);
    await embed(1);
    expect((await examine()).notes).toEqual([
      expect.stringMatching(/^1 chunk has no vector yet: /),
    ]);
    await embed(1);
    expect((await examine()).notes).toEqual([]);
  });

  it.each(['absent', 'failed'] as const)(
    'says that a model that is %s makes none',
    async (state) => {
      embedder.fail(state);
      expect((await examine()).notes[0]).toContain('fake/words cannot be used here');
    },
  );

  it('says which sources are not read, but not all of very many', async () => {
    await embed(2);
    for (let i = 10; i < 32; i += 1) {
      world.ports.files.set(`docs/bad/${i}.md`, 'x');
      world.ports.files.refuse(`docs/bad/${i}.md`, 'it is not text');
    }
    const { notes } = await examine();
    expect(notes).toHaveLength(21);
    expect(notes[0]).toBe('docs/bad/10.md is not read: it is not text.');
    expect(notes[20]).toBe('2 more sources are not read.');
  });

  it('passes on what vectors cannot be compared with', async () => {
    const { store } = await world.core.projects.open(P);
    await embed(2);
    store.comparisonProblem = async () => 'The extension is missing.';
    expect((await examine()).notes).toEqual(['The extension is missing.']);
  });

  it('of a project without a store makes none', async () => {
    world = coreInMemory();
    const { healthy, problems, notes } = await examine();
    expect([healthy, problems]).toEqual([true, []]);
    expect(notes).toEqual([expect.stringContaining('no knowledge store')]);
    expect(await world.ports.stores.find(P)).toBeUndefined();
  });

  it('finds what writes left behind, and a repair deletes it', async () => {
    leftovers = [TEMPORARY, { kind: 'damaged', path: 'kept', bytes: 2 ** 20 }];
    world.ports.files.set(TEMPORARY.path, 'half');
    world.ports.files.set('kept', 'a database');
    expect(await examine()).toMatchObject({ healthy: false, problems: [{ state: 'mendable' }] });
    expect(world.ports.files.text(TEMPORARY.path)).toBe('half');
    const { healthy, problems, notes } = await repair();
    expect([healthy, problems.map(({ state }) => state)]).toEqual([true, ['mended']]);
    expect(notes[0]).toMatch(/^kept \(1\.0 MB\)/);
    expect(world.ports.files.text(TEMPORARY.path)).toBeUndefined();
    expect(world.ports.files.text('kept')).toBe('a database');
  });
});

describe('the problems of a store', () => {
  it.each<readonly [StoreProblem['state'], boolean, number]>([
    ['mended', true, 1],
    ['mendable', false, 1],
    ['manual', false, 0],
    ['damaged', false, 0],
  ])('that are %s: healthy is %s, with %i notes', async (state, healthy, notes) => {
    const { store } = await world.core.projects.open(P);
    store.care.examine = async () => [{ problem: 'P.', advice: 'A.', state }];
    const found = await examine();
    expect(found).toMatchObject({ healthy, problems: [{ problem: 'P.', state }] });
    expect(found.notes).toHaveLength(notes);
  });

  it('are repaired, and the background work goes on', async () => {
    const { store } = await world.core.projects.open(P);
    store.care.repair = async () => [{ problem: 'P.', advice: 'A.', state: 'mended' }];
    const before = world.woken();
    expect(await repair()).toMatchObject({ healthy: true, problems: [{ problem: 'P.' }] });
    expect(world.woken()).toBe(before + 1);
  });
});

describe('a store that cannot be used', () => {
  const unavailable = new KnowledgeError('store_unavailable', 'It is being replaced.');
  const newer = new KnowledgeError('schema_too_new', 'It is newer.');

  it.each([
    ['is waited for', unavailable, { times: 5, ms: 0 }, { healthy: true, attempts: 6 }],
    ['is given up after six times', unavailable, { times: 6, ms: 0 }, { attempts: 6 }],
    ['is given up after ten seconds', unavailable, { times: 6, ms: 6000 }, { attempts: 2 }],
    ['for another reason needs somebody', newer, { times: 6, ms: 0 }, { attempts: 1 }],
  ])('%s', async (_, error, failing, expected) => {
    const { store } = await world.core.projects.open(P);
    let attempts = 0;
    store.care.examine = async () => {
      attempts += 1;
      world.ports.clock.advance(failing.ms);
      if (attempts <= failing.times) throw error;
      return [];
    };
    const { healthy, problems, notes } = await examine();
    expect({ healthy, attempts }).toEqual({ healthy: false, ...expected });
    const problem = {
      problem: `The knowledge store cannot be used: ${error.message}`,
      advice: 'Do what the sentence says, then ask again.',
      state: 'manual',
    };
    if (!healthy) expect([problems, notes]).toEqual([[problem], []]);
  });

  it.each([new KnowledgeError('internal', 'A bug.'), new Error('A bug.')])(
    'because of a bug is no diagnosis: %s',
    async (error) => {
      const { store } = await world.core.projects.open(P);
      store.care.examine = () => Promise.reject(error);
      await expect(examine()).rejects.toBe(error);
    },
  );
});

async function embed(count: number): Promise<void> {
  const { store } = await world.core.projects.open(P);
  for (const item of await store.vectors.pending(count)) {
    const [vector] = await FakeEmbedder.ready().embedBatch(item.texts);
    if (vector !== undefined) await store.vectors.put([{ ...item, vector }]);
  }
}
