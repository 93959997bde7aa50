import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Collection,
  collectionNames,
  readCollection,
  withDocuments,
} from '../../bench/quality/collection.js';

export const SLICES = ['lessons-aiom', 'scifact'] as const;
export type SliceName = (typeof SLICES)[number];

/** Every so many documents of scifact that answer no query stay, to be in the way of those that do. */
const DISTRACTOR_EVERY = 12;

const DATA = fileURLToPath(new URL('../../../shared/quality', import.meta.url));

/** Why the slices are not there; undefined where they are. */
export function missingSlices(): string | undefined {
  const known = existsSync(DATA) ? collectionNames(DATA) : [];
  const missing = SLICES.filter((name) => !known.includes(name));
  if (missing.length === 0) return undefined;
  const reason = `no ${missing.join(', ')} in ${join('..', 'shared', 'quality')}`;
  console.warn(`The quality gate is skipped: ${reason}`);
  return reason;
}

/** A collection small enough for a test: lessons-aiom whole, scifact with a part of its documents. */
export function readSlice(name: SliceName): Collection {
  const collection = readCollection(DATA, name);
  const wanted = new Set(collection.queries.flatMap(({ relevant }) => [...relevant]));
  return name === 'scifact'
    ? withDocuments(collection, ({ id }, index) => wanted.has(id) || index % DISTRACTOR_EVERY === 0)
    : collection;
}
