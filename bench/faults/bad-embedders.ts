import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createKnowledgeStore, type Embedder, type Vector } from '../../src/index.js';
import { FakeEmbedder } from '../../test/fakes/fake-embedder.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import { execute, rowsOf } from '../../test/support/database-inspection.js';
import { eventually } from '../../test/support/running-service.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';

const FEATURES = 6;
const MODEL = 'fake/words';
/** The time that a search waits for the vector of its query, and some for a busy machine. */
const SLOWEST_MS = 1_000 + 2_000;

type MakeVector = (sound: Vector, closed: Promise<never>) => Vector | Promise<Vector>;

/** What an embedder does with every text; none of it can be stored or compared. */
const WAYS: Readonly<Record<string, MakeVector>> = {
  'too few values': () => new Float32Array(3).fill(1),
  'too many values': () => new Float32Array(768).fill(1),
  'no values': () => new Float32Array(0),
  NaN: (sound) => sound.map((value, index) => (index === 7 ? Number.NaN : value)),
  Infinity: (sound) =>
    sound.map((value, index) => (index === 7 ? Number.POSITIVE_INFINITY : value)),
  zeros: (sound) => sound.map(() => 0),
  'something else': () => 'vector' as unknown as Vector,
  throws: () => Promise.reject(new TypeError('the embedder has a bug')),
  hangs: (_, closed) => closed,
};

/** F12: an embedder that returns what is no vector, throws or hangs; and one of another model. */
export const badEmbedders: FaultFamily = {
  name: 'F12',
  title: 'embedders that misbehave',
  defaultRounds: Object.keys(WAYS).length + 1,
  async run({ rounds }) {
    const wrong: string[] = [];
    let slowestMs = 0;
    for (const [way, make] of Object.entries(WAYS).slice(0, rounds)) {
      const seen = await observed(new OddEmbedder(make));
      wrong.push(...seen.wrong.map((sentence) => `${way}: ${sentence}`));
      slowestMs = Math.max(slowestMs, seen.slowestMs);
    }
    wrong.push(...(await changedModel()));
    const notes = [`the slowest search took ${Math.round(slowestMs)} ms`];
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes };
  },
  /** Vectors that nobody has checked, in the rows of the service. */
  async negativeControl() {
    const project = indexable();
    await embedAll(project, new FakeEmbedder({ model: MODEL }));
    execute(project.database, 'UPDATE embeddings SET embedding = zeroblob(1536)');
    const problems = problemsIn(project.database);
    project.remove();
    return problems;
  },
};

/** Works with vectors that were stored before, then embeds more text, in one way. */
async function observed(embedder: Embedder) {
  // The timers of the library do not keep a process alive, and a hanging embedder has nothing else that does.
  const alive = setInterval(() => {}, 1_000);
  const project = indexable();
  await embedAll(project, new FakeEmbedder({ model: MODEL }));
  const before = vectorsIn(project);
  project.writeReflection('late', '## Late\n\napple tapir\n');
  const running = createKnowledgeStore(optionsFor(embedder));
  const wrong: string[] = [];
  let slowestMs = 0;
  try {
    await running.store.reindex(project.path);
    for (let search = 0; search < 3; search += 1) {
      const begin = performance.now();
      const { results, retrievalMode } = await running.store.search(project.path, 'apple');
      slowestMs = Math.max(slowestMs, performance.now() - begin);
      if (results.length === 0) wrong.push('a search finds nothing');
      if (retrievalMode !== 'bm25') wrong.push(`a search is ${retrievalMode}`);
      await pause(100);
    }
  } finally {
    await running.stop();
    clearInterval(alive);
  }
  if (slowestMs > SLOWEST_MS) wrong.push(`a search took ${Math.round(slowestMs)} ms`);
  if (vectorsIn(project) !== before) wrong.push('other vectors are stored than before');
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return { wrong, slowestMs };
}

/** Vectors of two models are never compared with each other, and none of the old one stays. */
async function changedModel(): Promise<readonly string[]> {
  const project = indexable();
  const wrong: string[] = [];
  await embedAll(project, new FakeEmbedder({ model: MODEL }));
  const other = new FakeEmbedder({ model: 'fake/other' });
  other.hold();
  const running = createKnowledgeStore(optionsFor(other));
  const first = await running.store.search(project.path, 'apple');
  if (first.retrievalMode !== 'bm25')
    wrong.push(`before the change is done: ${first.retrievalMode}`);
  other.release();
  await running.stop();
  await embedAll(project, other.model === MODEL ? other : new FakeEmbedder({ model: other.model }));
  const models = rowsOf(project.database, 'SELECT DISTINCT model FROM embeddings');
  if (JSON.stringify(models) !== '[{"model":"fake/other"}]') {
    wrong.push(`vectors of ${JSON.stringify(models)}`);
  }
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return wrong.map((sentence) => `another model: ${sentence}`);
}

function indexable(): TempProject {
  const project = new TempProject();
  const log = new AcknowledgementLog();
  for (let index = 0; index < FEATURES; index += 1) log.write(project, `f${index}`);
  return project;
}

async function embedAll(project: TempProject, embedder: Embedder): Promise<void> {
  const running = createKnowledgeStore(optionsFor(embedder));
  await running.store.reindex(project.path);
  await eventually(
    async () => (await running.store.getEmbeddingStatus(project.path)).pending === 0,
  );
  await running.stop();
}

function optionsFor(embedder: Embedder) {
  return { backends: { embedder }, logger: new SilentLogger() };
}

function vectorsIn({ database }: TempProject): string {
  return JSON.stringify(
    rowsOf(database, 'SELECT chunk_id, model, hex(embedding) FROM embeddings ORDER BY chunk_id'),
  );
}

/** Says that it is ready, and makes of each text what it is told to. */
class OddEmbedder implements Embedder {
  readonly model = MODEL;
  readonly dimensions = 384;
  readonly #make: MakeVector;
  readonly #sound = new FakeEmbedder({ model: MODEL });
  readonly #closed: Promise<never>;
  #close: () => void = () => {};

  constructor(make: MakeVector) {
    this.#make = make;
    this.#closed = new Promise((_, reject) => {
      this.#close = () => reject(new Error('closed'));
    });
    this.#closed.catch(() => {});
  }

  isReady(): boolean {
    return true;
  }

  state() {
    return 'ready' as const;
  }

  failure(): undefined {}

  load(): void {}

  async embed(text: string): Promise<Vector> {
    return this.#make(await this.#sound.embed(text), this.#closed);
  }

  embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    return Promise.all(texts.map((text) => this.embed(text)));
  }

  async close(): Promise<void> {
    this.#close();
  }
}
