import { describe, expect, it, vi } from 'vitest';
import { countVectors } from '../../../src/app/enrichment/refused-texts.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { CALIBRATION_PAIRS } from '../../../src/domain/ranking/calibration-pairs.js';
import type { Vector } from '../../../src/domain/ranking/vector.js';
import type { PendingText } from '../../../src/ports/vector-index.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import {
  type EnrichmentWorld,
  enrichmentWorld,
  ingest,
  ingestMany,
  pass,
  settle,
  until,
} from '../../support/enrichment-world.js';

describe('chunks without a vector', () => {
  it('are all embedded once, the newest first, even if one look-up does not find all of them', async () => {
    const world = await worldWithoutQuestions(300);
    world.work.schedule();
    await until(() => isEmbedded(world, 300));
    const newestFirst = Array.from({ length: 300 }, (_, index) => `note ${300 - index}`);
    const { embedded } = world.embedder;
    expect(new Set(embedded.slice(0, 64))).toEqual(new Set(newestFirst.slice(0, 64)));
    expect(embedded).toHaveLength(300);
    expect(new Set(embedded)).toEqual(new Set(newestFirst));
  });

  it('get the vector of their own text, heading and content', async () => {
    const world = await enrichmentWorld();
    await ingest(world, 'a.md', { content: 'alpha', heading: 'Greek', importance: 0.5 });
    await ingest(world, 'b.md', 'beta');
    world.work.schedule();
    await until(() => isEmbedded(world, 2));
    expect(await nearest(world, 'Greek\nalpha')).toEqual(['a.md', expect.closeTo(1, 5)]);
    expect(await nearest(world, 'beta')).toEqual(['b.md', expect.closeTo(1, 5)]);
  });

  it('are embedded after a while if the model failed at first', async () => {
    const world = await enrichmentWorld();
    world.embedder.fail();
    await ingest(world, 'a.md', 'alpha');
    world.work.schedule();
    await settle();
    expect(await isEmbedded(world, 0)).toBe(true);
    world.embedder.recover();
    await pass(world.clock, 1000);
    expect(await isEmbedded(world, 1)).toBe(true);
  });

  it('cost the measurement of a model whose cosines tell nothing only once', async () => {
    const read = vi.fn(async () => undefined);
    const relevanceScales = { read, save: async () => undefined };
    const world = await enrichmentWorld({ relevanceScales });
    world.generator.available = false;
    await ingestMany(world, 200);
    const embedBatch = world.embedder.embedBatch.bind(world.embedder);
    world.embedder.embedBatch = (texts) => embedBatch(texts.map(() => 'the same'));
    world.work.schedule();
    await until(() => isEmbedded(world, 200));
    expect(read).toHaveBeenCalledOnce();
    expect(world.embedder.embedded).toHaveLength(200 + 2 * CALIBRATION_PAIRS.length);
  });

  it('are left alone, without a warning, if there is no model', async () => {
    const world = await enrichmentWorld();
    world.embedder.fail('absent');
    await ingest(world, 'a.md', 'alpha');
    world.work.schedule();
    await pass(world.clock, 60_000);
    expect(await isEmbedded(world, 0)).toBe(true);
    expect(world.generator.calls).toEqual([]);
    expect(world.logger.entries).toEqual([]);
    expect(world.clock.sleepers).toBe(0);
  });
});

describe('the end of embedding', () => {
  it('is logged once, with the number of chunks', async () => {
    const world = await worldWithoutQuestions(40);
    world.work.schedule();
    await until(() => isEmbedded(world, 40));
    world.work.schedule();
    await settle();
    expect(world.logger.entries).toMatchObject([
      { message: 'All chunks are embedded.', fields: { project: '/project', embedded: 40 } },
    ]);
  });
});

describe('a chunk that cannot have a vector', () => {
  it.each([
    ['of zeros', zero],
    ['of the wrong length', (vector: Vector) => vector.slice(1)],
  ])('is given up, which is said, where the model has a vector %s for it', async (_, spoilt) => {
    const world = await enrichmentWorld();
    const embedBatch = world.embedder.embedBatch.bind(world.embedder);
    world.embedder.embedBatch = async (texts) =>
      (await embedBatch(texts)).map((own, index) => (texts[index] === 'alpha' ? spoilt(own) : own));
    await ingest(world, 'a.md', 'alpha');
    await ingest(world, 'b.md', 'beta');
    world.generator.available = false;
    world.work.schedule();
    await pass(world.clock, 10_000);
    expect(world.embedder.embedded.toSorted()).toEqual(['alpha', 'beta']);
    expect(await world.project.store.vectors.status('content')).toEqual({
      complete: 1,
      pending: 1,
    });
    const warnings = world.logger.entries.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([
      { message: 'The model refused a text.', fields: { kind: 'content', id: 'a.md#0' } },
    ]);
    await world.work.stop();
  });
});

describe('a text that the model refuses', () => {
  /** Lets the embedder throw for each call with one of these texts, and counts the calls. */
  function refuse(world: EnrichmentWorld, error: Error, ...texts: readonly string[]): number[] {
    const embedBatch = world.embedder.embedBatch.bind(world.embedder);
    const calls: number[] = [];
    world.embedder.embedBatch = async (batch) => {
      calls.push(batch.length);
      if (batch.some((text) => texts.includes(text))) throw error;
      return embedBatch(batch);
    };
    return calls;
  }

  it.each([
    ['one', 20, ['note 7']],
    ['several', 20, ['note 1', 'note 2', 'note 20']],
    ['a whole batch', 8, ['note 1', 'note 2', 'note 3', 'note 4', 'note 5', 'note 6']],
    ['the only one', 1, ['note 1']],
  ])('is set aside, and the others get their vectors: %s', async (_, count, poison) => {
    const world = await worldWithoutQuestions(count);
    const calls = refuse(world, new Error('too long'), ...poison);
    world.work.schedule();
    await until(() => isEmbedded(world, count - poison.length));
    await pass(world.clock, 30_000);
    const refusals = world.work.refusals.embeddings;
    expect(refusals.list().map(({ reason }) => reason)).toEqual(poison.map(() => 'too long'));
    expect(calls.length).toBeLessThan(4 * 2 * poison.length + count);
    const before = calls.length;
    world.work.schedule();
    await pass(world.clock, 30_000);
    expect(calls).toHaveLength(before);
  });

  it('is tried again when it changes', async () => {
    const world = await worldWithoutQuestions(3);
    refuse(world, new Error('too long'), 'note 2');
    world.work.schedule();
    await until(() => isEmbedded(world, 2));
    await until(async () => world.work.refusals.embeddings.size === 1);
    await ingest(world, 'n-2.md', 'a note that fits');
    world.work.schedule();
    await until(() => isEmbedded(world, 3));
    await until(async () => world.work.refusals.embeddings.size === 0);
  });

  it('may be the title of a file, for which its chunks then do not wait', async () => {
    const world = await worldWithoutQuestions(0);
    await ingest(world, 'walnut.md', 'one', 'two');
    refuse(world, new Error('too long'), 'walnut.md');
    world.work.schedule();
    const counted = () =>
      countVectors({ ...world.project, ...world.work }, 'content', world.embedder);
    await until(async () => (await counted()).complete === 2);
  });

  it('is not blamed if the model also refuses the trial text', async () => {
    const world = await worldWithoutQuestions(5);
    world.embedder.embedBatch = async () => {
      throw new Error('no such model');
    };
    world.work.schedule();
    await pass(world.clock, 10_000);
    expect(world.work.refusals.embeddings.size).toBe(0);
  });

  it('does not look like a model that is unavailable', async () => {
    const world = await worldWithoutQuestions(5);
    const calls = refuse(
      world,
      new KnowledgeError('model_unavailable', 'It is loading.'),
      ...['note 1', 'note 5'],
    );
    world.work.schedule();
    await settle();
    expect(calls).toEqual([5]);
    expect(world.work.refusals.embeddings.size).toBe(0);
  });
});

describe('a text that changes while it is embedded', () => {
  it('gets the vector of its current text, never of a former one', async () => {
    const world = await enrichmentWorld();
    await ingest(world, 'a.md', 'alpha');
    world.embedder.hold();
    world.work.schedule();
    await settle();
    await ingest(world, 'a.md', 'beta');
    world.embedder.release();
    await until(() => isEmbedded(world, 1));
    expect(world.embedder.embedded.slice(0, 2)).toEqual(['alpha', 'beta']);
    expect(await nearest(world, 'beta')).toEqual(['a.md', expect.closeTo(1, 5)]);
  });
});

describe('after a restart', () => {
  it('the work continues where it stopped, and nothing is embedded twice', async () => {
    const before = await worldWithoutQuestions(300);
    before.work.schedule();
    await until(() => before.embedder.embedded.length >= 36);
    await before.work.stop();
    const { complete } = await before.project.store.vectors.status('content');
    expect(complete).toBeGreaterThan(0);
    expect(complete).toBeLessThan(300);

    const { clock, data } = before;
    const after = await enrichmentWorld({ clock, data });
    after.generator.available = false;
    after.work.schedule();
    await until(() => isEmbedded(after, 300));
    await after.work.stop();
    const all = [...before.embedder.embedded, ...after.embedder.embedded];
    expect(all).toHaveLength(300);
    expect(new Set(all).size).toBe(300);
  });
});

describe('two processes on one project', () => {
  it('do not embed the same chunks', async () => {
    const one = await worldWithoutQuestions(40);
    const { clock, data } = one;
    const other = await enrichmentWorld({ clock, data });
    other.generator.available = false;
    one.work.schedule();
    other.work.schedule();
    await until(() => isEmbedded(one, 40));
    await pass(clock, 10_000);
    expect(one.embedder.embedded.length + other.embedder.embedded.length).toBe(40);
  });

  it('keep the vectors that the other one has replaced by those of its model', async () => {
    const one = await worldWithoutQuestions(5);
    const { vectors } = one.project.store;
    const pending = await vectors.pending('content', 5);
    one.work.schedule();
    await until(() => isEmbedded(one, 5));
    const replaced = pending.map(replacedByOther);
    let looks = 0;
    vectors.pending = async (kind) => {
      looks += 1;
      return kind === 'content' ? replaced : [];
    };
    one.work.schedule();
    await pass(one.clock, 60_000);
    expect(looks).toBeGreaterThan(0);
    expect(one.embedder.embedded).toHaveLength(5);
  });

  it('remember as many vectors as there are chunks, however often those change', async () => {
    const one = await worldWithoutQuestions(1);
    const { vectors } = one.project.store;
    let last: readonly PendingText[] = [];
    for (let version = 1; version <= 4; version += 1) {
      await ingest(one, 'n-1.md', `version ${version}`);
      last = await vectors.pending('content', 1);
      one.work.schedule();
      await until(() => one.embedder.embedded.length === version);
      await settle();
    }
    const asked: number[] = [];
    vectors.pending = async (kind, limit) => {
      if (kind !== 'content') return [];
      asked.push(limit);
      return Array.from({ length: limit }, () => last.map(replacedByOther)).flat();
    };
    one.work.schedule();
    await settle();
    const [page = 0, all] = asked;
    expect(all).toBe(page + 1);
    expect(one.embedder.embedded).toHaveLength(4);
  });
});

async function worldWithoutQuestions(chunks: number): Promise<EnrichmentWorld> {
  const world = await enrichmentWorld();
  world.generator.available = false;
  await ingestMany(world, chunks);
  return world;
}

function replacedByOther(item: PendingText): PendingText {
  return { ...item, hasOtherModel: true };
}

async function isEmbedded({ project }: EnrichmentWorld, count: number): Promise<boolean> {
  return (await project.store.vectors.status('content')).complete === count;
}

function zero(vector: Vector): Vector {
  return new Float32Array(vector.length);
}

/** The source of the chunk whose vector is nearest to that of a text, and their cosine. */
async function nearest({ project }: EnrichmentWorld, text: string) {
  const query = await FakeEmbedder.ready().embed(text);
  const [found] = await project.store.vectors.nearest(query, { sourceTypes: 'all' }, 1);
  const [chunk] = await project.store.chunks.getChunks([found?.chunkId ?? '']);
  return [chunk?.sourceFile, found?.cosine];
}
