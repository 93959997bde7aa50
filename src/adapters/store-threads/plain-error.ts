import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { PlainError } from './messages.js';

/** An error as it crosses threads: codes and messages survive, classes do not. */
export function toPlainError(error: unknown): PlainError {
  const stack = error instanceof Error ? { stack: stackOf(error) } : {};
  if (error instanceof KnowledgeError)
    return { code: error.code, message: error.message, ...stack };
  return { message: reasonOf(error), ...stack };
}

/** The error on the other side; its cause has the stack of the thread, for the log. */
export function fromPlainError({ code, message, stack }: PlainError): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  return code === undefined ? cause : new KnowledgeError(code, message, { cause });
}

/** With the stack of the cause, which says what SQLite refused. */
function stackOf({ stack = '', cause }: Error): string {
  return cause instanceof Error ? `${stack}\nCaused by: ${cause.stack}` : stack;
}
