import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { PlainError, Result } from './messages.js';

/** The outcome of work as it crosses processes: codes and messages of errors survive, classes do not. */
export async function resultOf(work: () => Promise<unknown>): Promise<Result> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: toPlainError(error) };
  }
}

/** @throws the error that the result carries; its cause has the stack of the other process, for the log */
export function unwrapped(result: Result): unknown {
  if ('error' in result) throw fromPlainError(result.error);
  return result.value;
}

export function toPlainError(error: unknown): PlainError {
  const stack = error instanceof Error ? { stack: stackOf(error) } : {};
  if (error instanceof KnowledgeError)
    return { code: error.code, message: error.message, ...stack };
  return { message: reasonOf(error), ...stack };
}

function fromPlainError({ code, message, stack }: PlainError): Error {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  return code === undefined ? cause : new KnowledgeError(code, message, { cause });
}

/** With the stack of the cause, which says what SQLite refused. */
function stackOf({ stack = '', cause }: Error): string {
  return cause instanceof Error ? `${stack}\nCaused by: ${cause.stack}` : stack;
}
