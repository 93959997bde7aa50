import { KnowledgeError } from '../../domain/errors.js';
import type { PageFetcher } from '../../ports/driven/page-fetcher.js';
import { FIELDS } from '../config/fields.js';

/** Null object used unless fetching is allowed. Every call fails with `fetch_not_allowed`. */
export const noPageFetcher: PageFetcher = {
  fetch: async () => {
    throw new KnowledgeError(
      'fetch_not_allowed',
      `Fetching web pages is off; set ${FIELDS.fetch.variable}=1, or the option fetch to "allowed", and try again.`,
    );
  },
};
