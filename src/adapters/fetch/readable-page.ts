import type { PageFormat } from './page-format.js';

/** What was made of a page; neither part is blank. */
export interface ReadablePage {
  /** One line. */
  readonly title: string;
  /** The text without the title. */
  readonly markdown: string;
}

/** A page that has no text that can be kept; the message is the middle of a sentence. */
export class UnreadablePage extends Error {}

/** What a reading thread is given. */
export interface ReadingTask {
  readonly format: PageFormat;
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  readonly url: string;
}

/** What it sends back, once. */
export type ReadingResult =
  | { readonly page: ReadablePage }
  /** The middle of a sentence, and the message of an unexpected error, for the log. */
  | { readonly unreadable: string; readonly cause?: string };
