/** What a saved file holds. */
export interface SavedText {
  /** Entries of the frontmatter, in this order; an undefined one, and an empty list, is left out. */
  readonly metadata: Readonly<Record<string, MetadataValue | undefined>>;
  /** On one line. */
  readonly title: string;
  /** Markdown. */
  readonly content: string;
}

type MetadataValue = string | number | readonly string[];

/** The markdown of a saved file: frontmatter unless there is none, the title as a `#` heading, and the content. */
export function savedText({ metadata, title, content }: SavedText): string {
  const entries = Object.entries(metadata).filter(([, value]) => isPresent(value));
  const lines = entries.map(([name, value]) => `${name}: ${yamlOf(value)}\n`);
  const frontmatter = lines.length === 0 ? '' : `---\n${lines.join('')}---\n`;
  return `${frontmatter}# ${headingOf(title)}\n\n${content.trimEnd()}\n`;
}

/** A text on one line, without control characters: what a title or a tag may be. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function isPresent(value: MetadataValue | undefined): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** JSON is YAML, and needs no rules for quotes. */
function yamlOf(value: MetadataValue | undefined): string {
  return JSON.stringify(value);
}

/** Number signs at the end of a heading are not part of it, unless others follow. */
function headingOf(title: string): string {
  return title.endsWith('#') ? `${title} #` : title;
}
