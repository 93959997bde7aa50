/**
 * Shortens a memory category with a small language model (docs/specification.md, "Memory categories and
 * compaction").
 */
export interface Summarizer {
  /** False if no model is configured. */
  isAvailable(): boolean;
  /** Maximum length of a text for one call; the caller splits a longer text. */
  readonly maxCharacters: number;
  /**
   * A shorter version of the text, as markdown, that keeps headings and key patterns.
   * @throws ModelCallError when the endpoint fails, returns nothing, or stops before the end
   */
  summarize(text: string): Promise<string>;
}
