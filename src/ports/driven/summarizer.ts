/** Shortens a memory category with a small language model (specification, `compactCategory`). */
export interface Summarizer {
  isAvailable(): boolean;
  /** Characters that one call can take; a longer text is given in parts. */
  readonly maxCharacters: number;
  /**
   * The text shortened, key patterns and headings kept, as markdown.
   * @throws ModelCallError when the endpoint fails, answers nothing, or stopped before the end
   */
  summarize(text: string): Promise<string>;
}
