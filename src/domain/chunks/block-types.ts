/** Code between two fences; its lines share one object. */
export interface Fence {
  /** The line that opens it, without the marks of its quote or list: "```sh". */
  readonly opener: string;
  /** The characters that close it: "```". */
  readonly closer: string;
}

/**
 * The kind of a line of markdown. Headings inside quotes and lists are `text`: they do not begin a part of the file.
 */
export type LineRole =
  | { readonly kind: 'blank' | 'text' | 'html' }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'heading'; readonly level: number }
  /** `---` or `===` below a paragraph, which is the heading as a whole. */
  | { readonly kind: 'underline'; readonly level: 1 | 2; readonly paragraphLines: number };

export interface Container {
  readonly kind: 'quote' | 'item';
  /** Where its text begins, after the marker in the opening line. */
  readonly textAt: number;
  /** Number of columns by which its other lines are indented. */
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
  /** Whether a blank line also ends it. */
  readonly endsAtBlank: boolean;
}

export const TEXT: LineRole = { kind: 'text' };
export const BLANK: LineRole = { kind: 'blank' };

/** The open paragraph, if any, where a block may begin. */
export interface OpenParagraph {
  /** Number of its lines if an underline would turn it into a heading, else 0. */
  readonly lines: number;
  /** Whether a paragraph is open, even in containers that the line does not continue. */
  readonly isOpen: boolean;
  readonly braces: Braces;
}

/** Whether a lone brace is text, or begins an expression, as in MDX. */
export type Braces = 'text' | 'expression';
