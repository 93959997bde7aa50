import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import { ReplyTooLargeError } from './bounded-fetch.js';
import { retryAfterMs } from './retry-after.js';
import { unusable } from './unusable-answer.js';

/**
 * Translates an error of the `openai` package into a ModelCallError. Its message is written here and it
 * has no cause, because the endpoint's own text may repeat the key or the prompt. Any other error is not
 * a failure of the endpoint and is returned unchanged.
 */
export function toModelCallError(error: unknown, now: Date): unknown {
  if (error instanceof APIUserAbortError) return unreachable('The call was stopped');
  if (error instanceof APIConnectionTimeoutError) return unreachable('It did not respond in time');
  if (error instanceof APIConnectionError) return connectionError(error.cause);
  if (error instanceof APIError) return statusError(error, now);
  if (error instanceof SyntaxError) return unusable('The reply is not JSON.');
  return error;
}

function unreachable(reason: string): ModelCallError {
  return new ModelCallError('unreachable', `The language model cannot be reached. ${reason}.`);
}

function connectionError(cause: unknown): ModelCallError {
  if (cause instanceof ReplyTooLargeError) return unusable(cause.message);
  const code = systemCode(cause);
  return unreachable(
    code === undefined ? 'The connection failed' : `The connection failed (${code})`,
  );
}

/** Only the code of a network error is passed on: its message may contain text of the endpoint. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ?? systemCode(error.cause);
}

interface StatusError {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
}

function statusError({ status = 0, headers }: StatusError, now: Date): ModelCallError {
  const pause = headers === undefined ? undefined : retryAfterMs(headers, now);
  const message = `The endpoint of the language model responded with ${status}${hintFor(status)}.`;
  const options = pause === undefined ? {} : { retryAfterMs: pause };
  return new ModelCallError(failureFor(status), message, options);
}

function failureFor(status: number): ModelCallFailure {
  if (status === 429) return 'throttled';
  if (status === 408) return 'unreachable';
  return 500 <= status ? 'failed' : 'refused';
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [401, ': check the key'],
  [403, ': check the key'],
  [404, ': check the base URL and the name of the model'],
]);

function hintFor(status: number): string {
  const isRedirect = 300 <= status && status < 400;
  return isRedirect
    ? ': redirects are not followed, check the base URL'
    : (HINTS.get(status) ?? '');
}
