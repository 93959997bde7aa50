import type { CallToolResult } from '@modelcontextprotocol/server';
import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { aboutArguments } from '../tools/arguments.js';

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
