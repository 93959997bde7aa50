import type { SearchAnswer } from '../../../domain/search.js';
import type { SetHeader } from './route.js';

/** Tells the client if its search started the first indexing of the project. */
export function setIndexingHeader({ indexing }: SearchAnswer, setHeader: SetHeader): void {
  if (indexing !== undefined) setHeader('Knowledge-Indexing', indexing);
}
