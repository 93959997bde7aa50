import type { Operations, ServedOperations } from '../../adapters/cli/command-line-parts.js';
import type { Endpoint } from '../../adapters/http/server/register-routes.js';
import { errorReason, KnowledgeError } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import type { Logger } from '../../ports/logger.js';
import { type AnswerLine, OPERATIONS_PATH } from './exchange.js';
import { SERVED } from './served.js';

/**
 * Runs the operation that a command requests. The request body holds its name and arguments; the answer is lines of
 * JSON.
 */
export function operationsEndpoint(operations: Operations, logger: Logger): Endpoint {
  return {
    path: OPERATIONS_PATH,
    serve: async ({ signal }, body) => {
      if (!isServedRequest(body)) return new Response(null, { status: 404 });
      const { name, args } = body;
      return new Response(lines({ operations, logger, name, args, signal }), {
        headers: { 'Content-Type': 'application/x-ndjson' },
      });
    },
    close: async () => undefined,
  };
}

interface ServedRequest {
  readonly name: keyof ServedOperations;
  readonly args: readonly unknown[];
}

function isServedRequest(body: unknown): body is ServedRequest {
  if (!isRecord(body)) return false;
  const { name, args } = body;
  return typeof name === 'string' && Object.hasOwn(SERVED, name) && Array.isArray(args);
}

interface Call extends ServedRequest {
  readonly operations: Operations;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

function lines({ operations, logger, name, args, signal }: Call): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: async (controller) => {
      const write = (line: AnswerLine) => {
        if (!signal.aborted) controller.enqueue(ENCODER.encode(`${JSON.stringify(line)}\n`));
      };
      const options = { onProgress: (progress: Amount) => write({ progress }), signal };
      const operation = operations[name] as (...args: readonly unknown[]) => Promise<unknown>;
      try {
        write({ result: await operation(...args, options) });
      } catch (error) {
        if (!(error instanceof KnowledgeError))
          logger.error('An operation failed.', { name, error });
        const code = error instanceof KnowledgeError ? error.code : 'internal';
        write({ error: { code, sentence: errorReason(error) } });
      }
      if (!signal.aborted) controller.close();
    },
  });
}

interface Amount {
  readonly done: number;
  readonly total: number;
}

const ENCODER = new TextEncoder();
