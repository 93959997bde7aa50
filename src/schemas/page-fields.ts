import type { Range } from '../domain/limits.js';
import { inQuery, wholeNumber } from './fields.js';

/** Which part of a list of entries is wanted; the page has 50 unless the request says otherwise. */
export function pageFields(entries: string, { limit, offset }: Record<'limit' | 'offset', Range>) {
  return {
    limit: inQuery(wholeNumber(limit))
      .describe(`${entries} of the page; default 50.`)
      .exactOptional(),
    offset: inQuery(wholeNumber(offset))
      .describe(`${entries} before the page; default 0.`)
      .exactOptional(),
  };
}
