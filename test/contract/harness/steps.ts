import { embeddingText, type SourceDocument } from '../../../src/domain/chunks/chunk.js';
import type { Expression } from '../../../src/domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  type Query,
  readQuery,
  splitWords,
} from '../../../src/domain/query/query.js';
import type { Vector } from '../../../src/domain/ranking/vector.js';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import type { ReplaceOutcome, SourceChange } from '../../../src/ports/source-repository.js';
import { document, vector } from '../../support/chunks.js';
import { unretrieved } from '../../support/unretrieved.js';
import type { Subject } from './contract-suite.js';

/** Stores a document, one second after the previous one. */
export function ingest({ harness, store }: Subject, document: SourceDocument) {
  harness.clock.advance(1000);
  return replace(store, { sourceFile: document.sourceFile, document });
}

/** Makes one change to the sources of a store. */
export async function replace(
  { chunks }: Pick<ProjectStore, 'chunks'>,
  change: SourceChange,
): Promise<ReplaceOutcome | undefined> {
  const [outcome] = await chunks.replaceSources([change]);
  return outcome;
}

/** Removes a source that no longer exists. */
export function remove(store: Pick<ProjectStore, 'chunks'>, sourceFile: string) {
  return replace(store, { sourceFile, document: undefined });
}

/** The ids of the chunks that a query finds, best first. */
export async function found(
  { store }: Pick<Subject, 'store'>,
  text: string,
): Promise<readonly string[]> {
  const hits = await store.keywords.search({
    expression: expressionOf(text),
    filter: { sourceTypes: 'all' },
    limit: 100,
  });
  return hits.map((hit) => hit.chunk.id);
}

/** The scores, by texts and names of sources, of those chunks in a list that match. */
export async function scoresOf(
  { keywords }: Pick<ProjectStore, 'keywords'>,
  expression: Expression,
  chunkIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const filter = { sourceTypes: 'all', chunkIds } as const;
  const hits = await keywords.search({ expression, filter, limit: 100, names: 'counted' });
  return new Map(hits.map(({ chunk, score }) => [chunk.id, score]));
}

/** Parses a query as the service does. Plain words must all match. */
export function expressionOf(text: string) {
  const query: Query = readQuery(text);
  const expression = query.kind === 'structured' ? query.expression : allWords(query.words);
  if (expression === undefined) throw new Error(`"${text}" asks for nothing.`);
  return expression;
}

/** The expression that matches any informative word of a text, as the service uses it to find candidates. */
export function anyWordOf(text: string): Expression {
  const expression = anyInformativeWord(splitWords(text));
  if (expression === undefined) throw new Error(`"${text}" asks for nothing.`);
  return expression;
}

/** Stores a content vector for a chunk, if it still has this text. */
export function put(
  { store }: Subject,
  chunkId: string,
  text: string,
  values: Vector,
): Promise<number> {
  return store.vectors.put('content', [{ id: chunkId, texts: [text], vector: values }]);
}

/** Stores questions for a chunk, if it still has this text. */
export function askQuestions(
  { store }: Subject,
  id: string,
  text: string,
  questions: readonly string[],
): Promise<number> {
  return store.vectors.put('questionTexts', [{ id, texts: [text], questions }]);
}

/** The cosine of a chunk; undefined if it has no content vector. */
export async function cosineTo({ store }: Subject, query: Vector, id: string) {
  return (await store.vectors.similarities('content', query, [id])).get(id);
}

/** Stores a source with one chunk for each name, and the chunk's vector. */
export async function ingestVectors(subject: Subject, vectors: Readonly<Record<string, Vector>>) {
  for (const [file, values] of Object.entries(vectors)) {
    await ingest(subject, document(file, [file]));
    await put(subject, `${file}#0`, file, values);
  }
}

/** Stores one source with a chunk per vector: `s#0`, `s#1` and so on. */
export async function ingestManyVectors(subject: Subject, vectors: readonly Vector[]) {
  const texts = vectors.map((_, i) => `text ${i}`);
  await ingest(subject, document('s', texts));
  await subject.store.vectors.put(
    'content',
    vectors.map((vector, i) => ({ id: `s#${i}`, texts: [texts[i] ?? ''], vector })),
  );
}

/** Retrieves a chunk, and gives it a question and two vectors on this axis. */
export async function enrich({ store, harness }: Subject, id: string, axis: number): Promise<void> {
  const [stored] = await store.chunks.getChunks([id]);
  if (stored === undefined) throw new Error(`There is no chunk ${id}.`);
  const text = embeddingText(stored);
  const questions = [`What of ${id}?`];
  await store.chunks.record([id], harness.clock.now());
  await store.vectors.put('content', [{ id, texts: [text], vector: onAxis(axis) }]);
  await store.vectors.put('questionTexts', [{ id, texts: [text], questions }]);
  await store.vectors.put('questions', [{ id, texts: questions, vector: onAxis(axis) }]);
}

/** The data that moves with a chunk: everything but its position and metadata. */
export async function stateOf({ store }: Subject, id: string) {
  const [stored] = await store.chunks.getChunks([id]);
  const neverRetrieved = await unretrieved(store);
  const axis = (await store.vectors.similarities('content', WHICH_AXIS, [id])).get(id);
  const questionAxis = (await store.vectors.similarities('questions', WHICH_AXIS, [id])).get(id);
  return {
    content: stored?.content,
    createdAt: stored?.createdAt,
    retrieved: !neverRetrieved.includes(id),
    ...(axis !== undefined && { axis: axisOf(axis) }),
    ...(questionAxis !== undefined && { questionAxis: axisOf(questionAxis) }),
  };
}

/** Has a different cosine to each of the first three axes, so that the cosine tells the axis. */
const WHICH_AXIS = vector(1, 2, 3);

function onAxis(axis: number) {
  return vector(...[0, 0, 0].with(axis, 1));
}

function axisOf(cosine: number): number {
  return Math.round(cosine * Math.sqrt(1 + 4 + 9)) - 1;
}
