/** Reads the YAML between the fences of a markdown file's frontmatter. */
export interface FrontmatterParser {
  /**
   * The parsed value, untrusted and unchecked. Undefined where the text is not YAML or is longer than
   * the parser reads, which it reports in the log with the name of the source file. Never throws,
   * executes nothing in the text, and takes bounded time.
   */
  parse(yaml: string, sourceFile: string): unknown;
}
