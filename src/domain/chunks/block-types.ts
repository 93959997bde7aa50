/** Code between two fences; its lines share one object. */
export interface Fence {
  /** The line that opens it, without the marks of its quote or list: "```sh". */
  readonly opener: string;
  /** The signs that close it: "```". */
  readonly closer: string;
}

/** The kind of a line of markdown. Headings inside quotes and lists are `text`: they begin no part of the file. */
export type LineRole =
  | { readonly kind: 'blank' | 'text' | 'html' }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'heading'; readonly level: number }
  /** `---` or `===` under a paragraph, all lines of which are the heading. */
  | { readonly kind: 'underline'; readonly level: 1 | 2; readonly paragraphLines: number };

export interface Container {
  readonly kind: 'quote' | 'item';
  /** Where the text behind its sign begins, in the line that opens it. */
  readonly textAt: number;
  /** Columns by which further lines of an item are indented. */
  readonly indent: number;
  /** A list item whose first line has no text ends at the first blank line. */
  isEmpty: boolean;
}

export interface Leaf {
  readonly role: LineRole;
  readonly verbatim?: Verbatim | undefined;
}

/** A block whose lines are not read as markdown. */
export interface Verbatim {
  readonly role: LineRole;
  readonly isEnd: (line: string, at: number) => boolean;
  /** Whether it also ends before a blank line. */
  readonly endsAtBlank: boolean;
}

export const TEXT: LineRole = { kind: 'text' };
export const BLANK: LineRole = { kind: 'blank' };

/** The paragraph that is open where a block may begin. */
export interface OpenParagraph {
  /** Number of its lines if an underline would end it, else 0. */
  readonly lines: number;
  /** Whether one is open at all, perhaps in containers that the line does not continue. */
  readonly isOpen: boolean;
}
