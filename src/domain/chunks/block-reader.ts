import {
  afterQuoteSign,
  containerAt,
  firstSign,
  itemText,
  leafAt,
  withoutTabs,
} from './block-starts.js';
import {
  BLANK,
  type Braces,
  type Container,
  type Leaf,
  type LineRole,
  TEXT,
  type Verbatim,
} from './block-types.js';
import { isTableStart } from './tables.js';

/**
 * Reads the block structure of markdown line by line, as CommonMark 0.31 does ("Appendix: A parsing strategy"): first
 * the containers that a line continues (quotes and list items), then those that it opens, then the contents of the
 * innermost one. Tables follow GitHub's extension: a rule below a table is not an underline.
 */
export class BlockReader {
  readonly #braces: Braces;
  readonly #containers: Container[] = [];
  #verbatim: Verbatim | undefined;
  /** Number of lines in the open paragraph; 0 outside paragraphs. */
  #paragraphLines = 0;
  /** The last line of the open paragraph, which may be the header row of a table. */
  #lastLine = '';
  #isInTable = false;

  constructor(braces: Braces) {
    this.#braces = braces;
  }

  read(text: string): LineRole {
    const line = withoutTabs(text);
    const place = this.#enterContainers(line);
    const isInside = place.depth === this.#containers.length;
    const role = isInside ? this.#continueVerbatim(line, place.at) : undefined;
    return role ?? this.#readBlocks(line, place);
  }

  /** How many open containers the line continues, and where its own text begins. */
  #enterContainers(line: string): LinePosition {
    let at = 0;
    for (const [depth, container] of this.#containers.entries()) {
      const next =
        container.kind === 'quote' ? afterQuoteSign(line, at) : itemText(container, line, at);
      if (next === undefined) return { at, depth };
      at = next;
    }
    return { at, depth: this.#containers.length };
  }

  /** Undefined if the line does not belong to a verbatim block. */
  #continueVerbatim(line: string, at: number): LineRole | undefined {
    const verbatim = this.#verbatim;
    if (verbatim === undefined) return undefined;
    if (verbatim.endsAtBlank && firstSign(line, at) === line.length) return undefined;
    if (verbatim.isEnd(line, at)) this.#verbatim = undefined;
    return verbatim.role;
  }

  #readBlocks(line: string, { at: start, depth }: LinePosition): LineRole {
    let at = start;
    for (;;) {
      const first = firstSign(line, at);
      const isOpen = this.#paragraphLines > 0;
      const isInParagraph = isOpen && depth === this.#containers.length;
      if (first === line.length) return this.#blank(depth);
      if (first - at > 3) return this.#text(line.slice(first), { depth, mayBegin: false });
      const lines = isInParagraph ? this.#paragraphLines : 0;
      const leaf = leafAt(line, first, { lines, isOpen, braces: this.#braces });
      if (leaf !== undefined) return this.#begin(leaf, depth);
      const isTooDeep = depth === NESTING_MAX;
      const container = isTooDeep ? undefined : containerAt(line, at, { first, isInParagraph });
      if (container === undefined) {
        return this.#text(line.slice(first), { depth, mayBegin: true });
      }
      this.#leaveContainers(depth);
      this.#fillItems();
      this.#containers.push(container);
      depth += 1;
      at = Math.min(container.textAt, line.length);
    }
  }

  #begin({ role, verbatim }: Leaf, depth: number): LineRole {
    this.#leaveContainers(depth);
    this.#fillItems();
    this.#verbatim = verbatim;
    const isHeading = role.kind === 'heading' || role.kind === 'underline';
    return isHeading && depth > 0 ? TEXT : role;
  }

  /** Reads a line of a table, indented code, or a paragraph, which may continue without its container marks. */
  #text(
    text: string,
    { depth, mayBegin }: { readonly depth: number; readonly mayBegin: boolean },
  ): LineRole {
    if (this.#isInTable && depth === this.#containers.length) return TEXT;
    const continues = this.#paragraphLines > 0;
    if (!continues) this.#leaveContainers(depth);
    this.#fillItems();
    if (continues || mayBegin) this.#paragraphLines += 1;
    if (this.#paragraphLines > 1 && isTableStart(this.#lastLine, text)) {
      this.#isInTable = true;
      this.#paragraphLines = 0;
    }
    this.#lastLine = text;
    return TEXT;
  }

  #blank(depth: number): LineRole {
    this.#leaveContainers(depth);
    return BLANK;
  }

  /** Also ends the open paragraph. */
  #leaveContainers(depth: number): void {
    this.#containers.length = depth;
    this.#verbatim = undefined;
    this.#paragraphLines = 0;
    this.#isInTable = false;
  }

  #fillItems(): void {
    for (const container of this.#containers) container.isEmpty = false;
  }
}

/** Deeper quotes and lists are text, because the time for a line grows with its depth. */
const NESTING_MAX = 100;

/** A position in a line, and the number of containers that are open there. */
interface LinePosition {
  readonly at: number;
  readonly depth: number;
}
