import { afterEach, beforeEach } from 'vitest';
import type { SourceDocument } from '../../domain/chunks/chunk.js';
import { allWords, type Query, readQuery } from '../../domain/query/query.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { ReplaceOutcome } from '../../ports/driven/chunk-repository.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import { document } from './chunks.js';
import type { MakeHarness, StoreHarness } from './project-stores-harness.js';

/** A fresh harness and the opened store of its project, for each test. */
export interface Subject {
  readonly harness: StoreHarness;
  readonly store: ProjectStore;
}

/** Call inside `describe`; what it returns is valid inside tests. */
export function useSubject(makeHarness: MakeHarness): () => Subject {
  let subject: Subject | undefined;
  beforeEach(async () => {
    const harness = await makeHarness();
    subject = { harness, store: await harness.stores.open(harness.projectPath) };
  });
  afterEach(async () => {
    await subject?.harness.dispose();
  });
  return () => {
    if (subject === undefined) throw new Error('A subject exists only while a test runs.');
    return subject;
  };
}

/** Stores a document unchanged, one second after the previous one. */
export function ingest(
  { harness, store }: Subject,
  source: SourceDocument,
): Promise<ReplaceOutcome> {
  harness.clock.advance(1000);
  return store.chunks.replaceSource(source.sourceFile, async () => source);
}

/** The ids of the chunks that a query finds, best first. */
export async function found({ store }: Subject, text: string): Promise<readonly string[]> {
  const hits = await store.keywords.search(expressionOf(text), { sourceTypes: 'all' }, 100);
  return hits.map((hit) => hit.chunk.id);
}

/** A query text read as the service reads it, plain words meaning all of them. */
export function expressionOf(text: string) {
  const query: Query = readQuery(text);
  const expression = query.kind === 'structured' ? query.expression : allWords(query.words);
  if (expression === undefined) throw new Error(`"${text}" asks for nothing.`);
  return expression;
}

/** Stores the content vector of a chunk with this text. */
export function put(
  { store }: Subject,
  chunkId: string,
  text: string,
  values: Vector,
): Promise<number> {
  return store.vectors.put([{ chunkId, texts: [text], vector: values }]);
}

/** The cosine of a chunk, if it has a content vector. */
export async function cosineTo({ store }: Subject, query: Vector, id: string) {
  return (await store.vectors.similarities(query, [id])).get(id);
}

/** A source of one chunk for each name, with this vector. */
export async function ingestVectors(subject: Subject, vectors: Readonly<Record<string, Vector>>) {
  for (const [file, values] of Object.entries(vectors)) {
    await ingest(subject, document(file, [file]));
    await put(subject, `${file}#0`, file, values);
  }
}

/** One source with a chunk for each vector, `s#0`, `s#1` and so on. */
export async function ingestManyVectors(subject: Subject, vectors: readonly Vector[]) {
  const texts = vectors.map((_, i) => `text ${i}`);
  await ingest(subject, document('s', texts));
  await subject.store.vectors.put(
    vectors.map((vector, i) => ({ chunkId: `s#${i}`, texts: [texts[i] ?? ''], vector })),
  );
}
