import { embeddingText } from '../../domain/chunks/chunk.js';
import { vector } from './chunks.js';
import type { Subject } from './project-stores-subject.js';

/** Retrieves a chunk, and gives it questions and two vectors on the axis of this number. */
export async function enrich({ store, harness }: Subject, id: string, axis: number): Promise<void> {
  const [stored] = await store.chunks.getChunks([id]);
  if (stored === undefined) throw new Error(`There is no chunk ${id}.`);
  const text = embeddingText(stored);
  const questions = [`What of ${id}?`];
  await store.retrievals.record([id], harness.clock.now());
  await store.vectors.put([{ chunkId: id, texts: [text], vector: onAxis(axis) }]);
  await store.questions.save({ id, text }, questions);
  await store.questionVectors.put([{ chunkId: id, texts: questions, vector: onAxis(axis) }]);
}

/** The data of a chunk that moves with it: all but position and metadata. */
export async function stateOf({ store }: Subject, id: string) {
  const [stored] = await store.chunks.getChunks([id]);
  const neverRetrieved = await store.retrievals.findUnusedSince(new Date('2100-01-01'));
  const axis = (await store.vectors.similarities(WHICH_AXIS, [id])).get(id);
  const questionAxis = (await store.questionVectors.similarities(WHICH_AXIS, [id])).get(id);
  return {
    content: stored?.content,
    createdAt: stored?.createdAt,
    retrieved: neverRetrieved.every((stale) => stale.id !== id),
    ...(axis !== undefined && { axis: axisOf(axis) }),
    ...(questionAxis !== undefined && { questionAxis: axisOf(questionAxis) }),
  };
}

/** Nearer to each of the first three axes than to the one before, so that a cosine tells which it is. */
const WHICH_AXIS = vector(1, 2, 3);

function onAxis(axis: number) {
  return vector(...[0, 0, 0].with(axis, 1));
}

function axisOf(cosine: number): number {
  return Math.round(cosine * Math.sqrt(1 + 4 + 9)) - 1;
}
