import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from 'openai';
import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import { unusable } from './answers.js';
import { boundedFetch, ReplyTooLargeError, retryAfterMs } from './bounded-fetch.js';

interface Connection {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly maxReplyBytes?: number;
}

/**
 * The package reads environment variables of its own: `OPENAI_LOG` would make it print prompts, and
 * `OPENAI_CUSTOM_HEADERS` could replace the key. `boundedFetch` removes the headers that it adds.
 */
export function openAiFor({ baseUrl, apiKey = '', maxReplyBytes }: Connection): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === '' ? 'none' : apiKey,
    defaultHeaders: apiKey === '' ? { Authorization: null } : { Authorization: `Bearer ${apiKey}` },
    logLevel: 'off',
    maxRetries: 0,
    fetch: boundedFetch(maxReplyBytes ?? MAX_REPLY_BYTES),
  });
}

const MAX_REPLY_BYTES = 1024 * 1024;

/**
 * Translates an error of the `openai` package into a ModelCallError. Its message is written here and it
 * has no cause, because the endpoint's own text may repeat the key or the prompt. Any other error is not
 * a failure of the endpoint and is returned unchanged.
 */
export function toModelCallError(error: unknown, call: CallInfo): unknown {
  const { role } = call;
  if (error instanceof APIUserAbortError) return unreachable(role, 'The call was stopped');
  if (error instanceof APIConnectionTimeoutError)
    return unreachable(role, 'It did not respond in time');
  if (error instanceof APIConnectionError) return connectionError(role, error.cause);
  if (error instanceof APIError) return statusError(error, call);
  if (error instanceof SyntaxError) return unusable('The reply is not JSON.', role);
  return error;
}

interface CallInfo {
  readonly now: Date;
  /** What stands behind the endpoint, such as "language model". */
  readonly role: string;
}

function unreachable(role: string, reason: string): ModelCallError {
  return new ModelCallError('unreachable', `The ${role} cannot be reached. ${reason}.`);
}

function connectionError(role: string, cause: unknown): ModelCallError {
  if (cause instanceof ReplyTooLargeError) return unusable(cause.message, role);
  const code = systemCode(cause);
  return unreachable(role, `The connection failed${code === undefined ? '' : ` (${code})`}`);
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

function statusError(
  { status = 0, headers }: StatusError,
  { now, role }: CallInfo,
): ModelCallError {
  const pause = headers === undefined ? undefined : retryAfterMs(headers, now);
  const message = `The endpoint of the ${role} responded with ${status}${hintFor(status)}.`;
  const options = { status, ...(pause !== undefined && { retryAfterMs: pause }) };
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
