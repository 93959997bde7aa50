/** Reads the YAML between the fences of a markdown file's frontmatter. */
export interface FrontmatterParser {
  /**
   * The parsed value, untrusted and unchecked; undefined if the text is not YAML or exceeds the parser's size limit.
   * Logs the source file if it exceeds the limit. Never throws, never executes anything in the text, and takes bounded
   * time.
   */
  parse(yaml: string, sourceFile: string): unknown;
}
