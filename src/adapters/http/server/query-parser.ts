import { type ParsedUrlQuery, parse } from 'node:querystring';
import { KnowledgeError } from '../../../domain/errors.js';

/**
 * Express's "simple" query parser, which reads at most 1,000 parameters; a repeated one becomes a list.
 * Checks the percent-encoding first: the parser would repair it, and the repaired path could be that of
 * another project.
 * @throws KnowledgeError `invalid_request` for invalid percent-encoding
 */
export function parseQuery(query: string | null): ParsedUrlQuery {
  try {
    decodeURIComponent(query ?? '');
  } catch (cause) {
    throw new KnowledgeError(
      'invalid_request',
      'The query of the URL must be percent-encoded UTF-8.',
      { cause },
    );
  }
  return parse(query ?? '');
}
