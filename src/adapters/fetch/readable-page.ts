import { KnowledgeError } from '../../domain/errors.js';
import type { PageFormat } from './page-format.js';

/** The readable text of a page. */
export interface ReadablePage {
  /** One line; empty if the page has no title. */
  readonly title: string;
  /** The text without the title; never blank. */
  readonly markdown: string;
}

/** Thrown for a page without text that can be kept. The message is the middle of a sentence. */
export class UnreadablePage extends Error {}

/** Input of a reading thread. */
export interface ReadingTask {
  readonly format: PageFormat;
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  readonly url: string;
}

/** The only reply of a reading thread. */
export type ReadingResult =
  | { readonly page: ReadablePage }
  /** `unreadable` is the middle of a sentence; `cause` is the message of an unexpected error, for the log. */
  | { readonly unreadable: string; readonly cause?: string };

/** The error for a forbidden address. Reveals nothing about the server there. */
export function notAllowed(): KnowledgeError {
  return new KnowledgeError(
    'fetch_not_allowed',
    'The page was not fetched: only public http and https addresses are allowed, even after redirects.',
  );
}

/** @param reason the middle of a sentence: "the server responded with 404" */
export function fetchFailed(reason: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError(
    'fetch_failed',
    `The page could not be fetched: ${reason}; check the address or try again later.`,
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
