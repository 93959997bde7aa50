import { afterEach, beforeEach } from 'vitest';
import type { SourceDocument } from '../../src/domain/chunk.js';
import type { Query } from '../../src/domain/query.js';
import { allWords, readQuery } from '../../src/domain/query.js';
import type { ReplaceOutcome } from '../../src/ports/chunk-repository.js';
import type { ProjectStore } from '../../src/ports/project-stores.js';
import type { MakeHarness, StoreHarness } from './project-stores-harness.js';

/** A fresh harness and the opened store of its project, for each test. */
export interface Subject {
  readonly harness: StoreHarness;
  readonly store: ProjectStore;
}

/** Call inside `describe`; the answer is valid inside tests. */
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

/** Stores a document as it is, a second after whatever was stored before. */
export function ingest(
  { harness, store }: Subject,
  document: SourceDocument,
): Promise<ReplaceOutcome> {
  harness.clock.advance(1000);
  return store.chunks.replaceSource(document.sourceFile, async () => document);
}

/** The ids of the chunks that a query finds, best first. */
export async function found({ store }: Subject, text: string): Promise<readonly string[]> {
  const hits = await store.chunks.searchKeyword(expressionOf(text), { sourceTypes: 'all' }, 100);
  return hits.map((hit) => hit.chunk.id);
}

/** A query text read as the service reads it, plain words meaning all of them. */
export function expressionOf(text: string) {
  const query: Query = readQuery(text);
  const expression = query.kind === 'structured' ? query.expression : allWords(query.words);
  if (expression === undefined) throw new Error(`"${text}" asks for nothing.`);
  return expression;
}
