import { KnowledgeError } from '../../domain/errors.js';

/** An address that must not be reached. Says nothing of what is there. */
export function notAllowed(): KnowledgeError {
  return new KnowledgeError(
    'fetch_not_allowed',
    'The page is not fetched: it is at, or redirects to, an address that is not public http or https.',
  );
}

/** @param reason the middle of a sentence: "the server responded with 404" */
export function fetchFailed(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError(
    'fetch_failed',
    `The page cannot be fetched: ${reason}; check the address or try again later.`,
    { cause },
  );
}

/** @param reason the middle of a sentence: "it has no text" */
export function notReadable(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    `The page cannot be read: ${reason}; save the text that matters as a note instead.`,
    { cause },
  );
}
