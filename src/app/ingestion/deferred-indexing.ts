import type { Project } from '../projects/project.js';
import type { SourceListing } from './source.js';

/** Adds many sources to an empty project without its full-text index, which is built once they are there. */
export async function withDeferredIndexing<T>(
  { store: { keywords } }: Project,
  { sources }: SourceListing,
  add: () => Promise<T>,
): Promise<T> {
  const isSuspended = sources.length >= MANY_SOURCES && (await keywords.suspend());
  try {
    return await add();
  } finally {
    if (isSuspended) await keywords.rebuild();
  }
}

/** With fewer, a rebuild gains nothing. */
const MANY_SOURCES = 50;
