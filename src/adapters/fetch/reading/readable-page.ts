/** What was made of a page; neither part is blank. */
export interface ReadablePage {
  /** One line. */
  readonly title: string;
  /** The text without the title. */
  readonly markdown: string;
}

/** A page that has no text that can be kept; the message is the middle of a sentence. */
export class UnreadablePage extends Error {}
