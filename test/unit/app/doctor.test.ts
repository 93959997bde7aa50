import { beforeEach, describe, expect, it } from 'vitest';
import { KnowledgeError } from '../../../src/domain/errors.js';
import type { StoreFinding } from '../../../src/ports/project-stores.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';
import { embedPending } from '../../support/embed-pending.js';
import { recordedTreatments } from '../../support/recorded-treatments.js';

const P = '/project';

let world: CoreInMemory;
let embedder: FakeEmbedder;

beforeEach(async () => {
  embedder = new FakeEmbedder();
  world = coreInMemory({ embedder });
  world.ports.files.set('docs/a.md', '## One\nthe ibex\n\n## Two\nthe okapi');
  await world.core.store.readAllSources(P);
});

const examine = () => world.core.recovery.examine(P);
const repair = () => world.core.recovery.repair(P);
const store = async () => (await world.core.projects.open(P)).store;

describe('a diagnosis', () => {
  it('of a sound store says which vectors are missing', async () => {
    expect(await examine()).toEqual({
      ok: true,
      findings: [
        {
          code: 'vectors_missing',
          sentence:
            '2 chunks have no vector yet: run "knowledge-store ingest", or keep a service running.',
        },
      ],
    });
    await embed(1);
    expect((await examine()).findings[0]?.sentence).toMatch(/^1 chunk has no vector yet: /);
    await embed(1);
    expect(await examine()).toEqual({ ok: true, findings: [] });
  });

  it('says that the missing vectors are being made, whichever process makes them', async () => {
    const { upkeep } = await store();
    upkeep.isHeld = async () => true;
    expect((await examine()).findings[0]?.sentence).toBe(
      '2 chunks have no vector yet: vectors are being computed in the background.',
    );
  });

  it('says which questions are missing, if chunks have any', async () => {
    await embed(2);
    const { vectors } = await store();
    const status = await vectors.status('content');
    vectors.status = async (kind) => (kind === 'content' ? status : { complete: 1, pending: 1 });
    const { findings } = await examine();
    expect(findings).toMatchObject([
      { code: 'questions_missing', sentence: expect.stringMatching(/^1 chunk has no questions/) },
    ]);
  });

  it.each(['absent', 'failed'] as const)(
    'says that a model that is %s makes none',
    async (state) => {
      embedder.fail(state);
      const [finding] = (await examine()).findings;
      expect(finding?.sentence).toContain('fake/words cannot be used here');
    },
  );

  it('says which sources are not read, but not all of very many', async () => {
    await embed(2);
    for (let i = 10; i < 32; i += 1) {
      world.ports.files.set(`docs/bad/${i}.md`, 'x');
      world.ports.files.refuse(`docs/bad/${i}.md`, 'it is not text');
    }
    const { ok, findings } = await examine();
    expect(ok).toBe(true);
    expect(findings).toHaveLength(21);
    expect(findings[0]).toEqual({
      code: 'not_read',
      sentence: 'docs/bad/10.md: it is not text.',
    });
    expect(findings[20]?.sentence).toBe('2 more are skipped or read in part.');
  });

  it('says why vectors cannot be compared', async () => {
    await embed(2);
    const problem = 'The extension is missing.';
    (await store()).vectors.status = async () => ({ complete: 0, pending: 0, problem });
    expect((await examine()).findings).toEqual([
      { code: 'not_compared', sentence: 'The extension is missing.' },
    ]);
  });

  it('of a project without a store creates none', async () => {
    world = coreInMemory({ embedder });
    expect(await examine()).toMatchObject({ ok: true, findings: [{ code: 'no_store' }] });
    expect(await world.ports.stores.find(P)).toBeUndefined();
  });

  it('waits until a store that lost its contents is indexed again', async () => {
    world = coreInMemory({ embedder });
    world.ports.files.set('docs/a.md', 'the ibex');
    Object.assign(await world.ports.stores.open(P), { needsReindexing: true });
    expect((await examine()).findings).toMatchObject([{ code: 'vectors_missing' }]);
  });
});

describe('the findings of a store', () => {
  it.each<readonly [StoreFinding, boolean, string | undefined]>([
    [{ code: 'index_outdated', sentence: 'S.' }, false, 'vectors_missing'],
    [{ code: 'index_outdated', sentence: 'S.', repaired: true }, true, 'vectors_missing'],
    [{ code: 'damaged', sentence: 'S.' }, false, undefined],
    [{ code: 'left_out', sentence: 'S.' }, true, 'vectors_missing'],
  ])(
    '%j: ok is %s, and what is missing is said unless it is damaged',
    async (finding, ok, more) => {
      const treatments = recordedTreatments(await store(), async () => [finding]);
      const diagnosis = await examine();
      expect(treatments).toEqual(['examine']);
      expect(diagnosis.ok).toBe(ok);
      expect(diagnosis.findings[0]).toEqual(finding);
      expect(diagnosis.findings[1]?.code).toBe(more);
    },
  );

  it('is repaired, and the background work continues', async () => {
    const damaged = { code: 'damaged', sentence: 'S.', repaired: true } as const;
    const treatments = recordedTreatments(await store(), async () => [damaged]);
    const before = world.woken();
    expect(await repair()).toMatchObject({ ok: true, findings: [{ code: 'damaged' }, {}] });
    expect(treatments).toEqual(['repair']);
    expect(world.woken()).toBe(before + 1);
  });

  it('fails if the store cannot be used', async () => {
    let reason: Error = new KnowledgeError('schema_too_new', 'It is newer.');
    const treatments = recordedTreatments(await store(), () => Promise.reject(reason));
    expect(await examine()).toEqual({
      ok: false,
      findings: [
        { code: 'unusable', sentence: 'The knowledge store cannot be used: It is newer.' },
      ],
    });
    reason = new Error('A bug.');
    await expect(examine()).rejects.toBe(reason);
    expect(treatments).toEqual(['examine', 'examine']);
  });
});

/** Contents of chunks, and all headers. */
async function embed(count: number): Promise<void> {
  const { vectors } = await store();
  await embedPending(vectors, FakeEmbedder.ready(), { kind: 'headers', limit: 100 });
  await embedPending(vectors, FakeEmbedder.ready(), { limit: count });
}
