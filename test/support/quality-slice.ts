import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Collection,
  type CorpusDocument,
  collectionNames,
  readCollection,
} from '../../bench/quality/collection.js';

const SLICES = ['lessons-aiom', 'scifact'] as const;
export type SliceName = (typeof SLICES)[number];

/** Every nth query is run. */
const QUERY_EVERY = 3;
/** Every nth document that answers no query is kept, as a distractor. */
const DISTRACTOR_EVERY = 12;

const DATA = fileURLToPath(new URL('../../../shared/quality', import.meta.url));

/** Why the slices are missing; undefined if they exist. */
export function missingSlices(): string | undefined {
  const known = existsSync(DATA) ? collectionNames(DATA) : [];
  const missing = SLICES.filter((name) => !known.includes(name));
  if (missing.length === 0) return undefined;
  const reason = `no ${missing.join(', ')} in ${join('..', 'shared', 'quality')}`;
  console.warn(`The quality gate is skipped: ${reason}`);
  return reason;
}

/** A collection small enough for a test: a part of the queries, and of scifact's documents. */
export function readSlice(name: SliceName): Collection {
  const collection = readCollection(DATA, name);
  const queries = collection.queries.filter((_, index) => index % QUERY_EVERY === 0);
  const wanted = new Set(collection.queries.flatMap(({ relevant }) => [...relevant]));
  const keeps = ({ id }: CorpusDocument, index: number) =>
    wanted.has(id) || index % DISTRACTOR_EVERY === 0;
  return { ...collection, queries, documents: collection.documents.filter(keeps) };
}
