import { LISTED_ENTRIES, type Range } from '../domain/limits.js';
import { inQuery, wholeNumber } from './fields.js';

/** The fields that select a page of a list. */
export function pageFields(entries: string, { limit, offset }: Record<'limit' | 'offset', Range>) {
  return {
    limit: inQuery(wholeNumber(limit))
      .describe(`Maximum number of ${entries}; default ${LISTED_ENTRIES}.`)
      .exactOptional(),
    offset: inQuery(wholeNumber(offset))
      .describe(`Number of ${entries} to skip; default 0.`)
      .exactOptional(),
  };
}
