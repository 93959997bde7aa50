import { type ParsedUrlQuery, parse } from 'node:querystring';
import { KnowledgeError } from '../../../domain/errors.js';

/**
 * Express's "simple" query parser, which reads at most 1,000 parameters; a repeated one becomes a list.
 * By itself it repairs broken percent-encoding, and the repaired text would name another project: the
 * test "answers GET /stats?projectPath=/%zz with 400" fails.
 * @throws KnowledgeError `invalid_request` for broken percent-encoding
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
