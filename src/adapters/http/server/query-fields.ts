import { KnowledgeError } from '../../../domain/errors.js';
import type { RawFields } from '../schemas/read-fields.js';

/**
 * The fields of a query string; one that is given several times is a list.
 * @throws KnowledgeError `invalid_request` where the percent-encoding is broken: mended text would name another project
 */
export function queryFields(query: string): RawFields {
  assertDecodable(query);
  const params = new URLSearchParams(query);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(names.map((name) => [name, oneOrAll(params.getAll(name))]));
}

function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query);
  } catch (cause) {
    throw new KnowledgeError(
      'invalid_request',
      'The query of the URL must be percent-encoded UTF-8.',
      { cause },
    );
  }
}

function oneOrAll(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : values;
}
