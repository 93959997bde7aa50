import type { IncomingMessage } from 'node:http';
import { KnowledgeError } from '../../../domain/errors.js';
import type { RawFields } from '../schemas/read-fields.js';
import { readBody } from './read-body.js';

/**
 * The fields of a JSON body.
 * @throws KnowledgeError `unsupported_media_type`, `too_large`, and `invalid_request` for what is no JSON object
 */
export async function jsonBody(request: IncomingMessage): Promise<RawFields> {
  assertJson(request.headers['content-type'] ?? '');
  const fields = parsed(decoded(await readBody(request)));
  if (isRecord(fields)) return fields;
  throw new KnowledgeError('invalid_request', 'The body must be a JSON object.');
}

/** Besides its use, this keeps out what a page can send without asking first (forms, text/plain). */
function assertJson(contentType: string): void {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  if (type === 'application/json' && charsets.every(isUtf8)) return;
  throw new KnowledgeError(
    'unsupported_media_type',
    'The content type must be application/json in UTF-8.',
  );
}

function isUtf8(charset: string): boolean {
  return charset === 'charset=utf-8' || charset === 'charset="utf-8"';
}

function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new KnowledgeError('invalid_request', 'The body must be UTF-8.', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KnowledgeError('invalid_request', 'The body must be valid JSON.', { cause });
  }
}

function isRecord(value: unknown): value is RawFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
