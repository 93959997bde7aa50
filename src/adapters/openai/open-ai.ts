import OpenAI, { APIError } from 'openai';
import { boundedFetch } from './bounded-fetch.js';

/** An OpenAI-compatible endpoint. */
export interface Endpoint {
  /** `http(s)`, with its path (`…/v1`), without credentials; checked with the rest of the configuration. */
  readonly baseUrl: string;
  /** Printable ASCII; absent or empty: no `Authorization` is sent. */
  readonly apiKey?: string | undefined;
  /** Most bytes of a reply; default 1 MiB. */
  readonly maxReplyBytes?: number;
}

/**
 * The package reads environment variables of its own: `OPENAI_LOG` would make it print prompts, and
 * `OPENAI_CUSTOM_HEADERS` could replace the key. `boundedFetch` removes the headers that it adds.
 */
export function openAiFor({ baseUrl, apiKey = '', maxReplyBytes }: Endpoint): OpenAI {
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

/** Whether an endpoint may have refused a request because of its `response_format`. */
export function mayRefuseResponseFormat(error: unknown): boolean {
  return error instanceof APIError && RESPONSE_FORMAT_REFUSALS.has(error.status);
}

const RESPONSE_FORMAT_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 422, 501]);
