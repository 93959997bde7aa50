import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { sentenceOf } from './tool-error.js';

/** The error of a request for resources: unlike a tool, it has no result that could say what went wrong. */
export function resourceError(error: unknown, logger: Logger, uri = ''): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof KnowledgeError && error.code === 'not_found') {
    return new ResourceNotFoundError(uri, error.message);
  }
  return new ProtocolError(codeOf(error), sentenceOf(error, logger));
}

/** The error for an address of which there is nothing. */
export function noResource(uri: string): ProtocolError {
  return new ResourceNotFoundError(uri);
}

/** What the client can change is an error of its request. */
function codeOf(error: unknown): ProtocolErrorCode {
  const code = error instanceof KnowledgeError ? error.code : 'internal';
  return CLIENT_ERRORS.has(code)
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
}

const CLIENT_ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'project_not_found',
  'path_not_allowed',
]);
