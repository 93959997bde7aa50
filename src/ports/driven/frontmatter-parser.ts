/** Reads the YAML between the fences of a markdown file's frontmatter. */
export interface FrontmatterParser {
  /** The parsed value, untrusted and unchecked; undefined where the text is not YAML. Runs nothing. */
  parse(yaml: string): unknown;
}
