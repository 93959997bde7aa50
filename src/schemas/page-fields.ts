import { LISTED_ENTRIES, type Range } from '../domain/limits.js';
import { inQuery, wholeNumber } from './fields.js';

/** Which part of a list of entries is wanted. */
export function pageFields(entries: string, { limit, offset }: Record<'limit' | 'offset', Range>) {
  return {
    limit: inQuery(wholeNumber(limit))
      .describe(`${entries} of the page; default ${LISTED_ENTRIES}.`)
      .exactOptional(),
    offset: inQuery(wholeNumber(offset))
      .describe(`${entries} before the page; default 0.`)
      .exactOptional(),
  };
}
