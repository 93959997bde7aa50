import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { aboutArguments } from '../tools/tool.js';

/** An error as a result that the model can read. A bug is logged in full, and the result does not describe it. */
export function toolError(error: unknown, logger: Logger): CallToolResult {
  return { content: [{ type: 'text', text: sentenceOf(error, logger) }], isError: true };
}

/** What a client is told about an error; the log has the rest. */
export function sentenceOf(error: unknown, logger: Logger): string {
  if (!(error instanceof KnowledgeError) || error.code === 'internal') {
    logger.error('A call failed because of a bug.', { error });
    return 'The service failed because of a bug; its log has the details.';
  }
  if (error.cause !== undefined) {
    logger.warn('A call failed.', { code: error.code, reason: reasonOf(error.cause) });
  }
  return aboutArguments(error.message);
}

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
