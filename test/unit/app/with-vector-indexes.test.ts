import { beforeEach, describe, expect, it } from 'vitest';
import {
  type VectorIndexPlace,
  withVectorIndexes,
} from '../../../src/app/projects/with-vector-indexes.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import type { ProjectStore, ProjectStores } from '../../../src/ports/driven/project-stores.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { InMemoryVectorIndex } from '../../fakes/in-memory-vector-index.js';
import { document } from '../../support/chunks.js';
import { memoryStores } from '../../support/memory-stores.js';

const P = '/project';

let inner: ProjectStores;
let stores: ProjectStores;
let places: VectorIndexPlace[];
let store: ProjectStore;

beforeEach(async () => {
  inner = memoryStores();
  places = [];
  stores = withVectorIndexes(inner, (texts, place) => {
    places.push(place);
    return new InMemoryVectorIndex(texts, EMBEDDING_DIMENSIONS);
  });
  expect(await stores.find(P)).toBeUndefined();
  store = await stores.open(P);
});

describe('stores with custom vector indexes', () => {
  it('make two for each store, once', async () => {
    expect([await stores.open(P), await stores.find(P)]).toEqual([store, store]);
    expect(places).toEqual([
      { projectPath: P, kind: 'content' },
      { projectPath: P, kind: 'questions' },
    ]);
    expect(stores.locationOf(P)).toBe(inner.locationOf(P));
  });

  it('keep vectors there, and everything else below', async () => {
    await ingest('a', 2);
    await embed(store, 1);
    expect(await store.vectors.status()).toEqual({ complete: 1, pending: 1 });
    const below = await inner.open(P);
    expect(await below.vectors.status()).toEqual({ complete: 0, pending: 2 });
    expect((await below.chunks.stats()).totalChunks).toBe(2);
  });

  it('close what is below', async () => {
    let closed = 0;
    inner.close = async () => {
      closed += 1;
    };
    await stores.close();
    expect(closed).toBe(1);
  });
});

async function ingest(name: string, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, number) => `word ${name} ${number}`);
  await store.chunks.replaceSources([{ sourceFile: name, document: document(name, texts) }]);
}

async function embed({ vectors }: ProjectStore, count: number): Promise<void> {
  for (const item of await vectors.pending(count)) {
    const [vector] = await FakeEmbedder.ready().embedBatch(item.texts);
    if (vector !== undefined) await vectors.put([{ ...item, vector }]);
  }
}
