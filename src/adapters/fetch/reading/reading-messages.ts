import type { PageFormat } from './page-format.js';
import type { ReadablePage } from './readable-page.js';

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
