import {
  frontmatterValue,
  readMetadata,
  readSupersedes,
  splitFrontmatter,
} from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';
import { onOneLine, type SavedText } from './saved-text.js';

interface NoteText {
  readonly title: string;
  /** Markdown, perhaps with frontmatter and the title, as the file of a note has them. */
  readonly content: string;
  /** Instead of those of the frontmatter. */
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly supersedes?: string | undefined;
}

/**
 * The contents of a note's file. Frontmatter and the note's own title at the beginning of the content are taken as such, so
 * that a note can be read, changed and written again.
 */
export function noteText(note: NoteText, parseYaml: (yaml: string) => unknown): SavedText {
  const title = onOneLine(note.title);
  const { entries, body } = splitEntries(note.content, parseYaml);
  const { tags: ownTags = [], importance } = readMetadata(entries);
  const { title: ownTitle, ...others } = entries;
  const tags = (note.tags ?? ownTags).map(onOneLine);
  return {
    metadata: {
      ...(ownTitle !== title && { title: ownTitle }),
      ...others,
      tags: [...new Set(tags)],
      importance: note.importance ?? importance,
      supersedes: note.supersedes ?? readSupersedes(entries),
    },
    title,
    content: withoutTitle(body, title),
  };
}

/** Whether a markdown text, without frontmatter, begins with this title. */
export function hasTitle(body: string, title: string): boolean {
  const [, own = ''] = TITLE_LINE.exec(body) ?? [];
  return title !== '' && onOneLine(own.trim().replace(CLOSING_SIGNS, '')) === title;
}

interface Split {
  readonly entries: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A block that holds no entry is text. */
function splitEntries(content: string, parseYaml: (yaml: string) => unknown): Split {
  const { yaml, body } = splitFrontmatter(content.replace(/^\s+(?=---)/, ''));
  const entries = yaml === undefined ? undefined : frontmatterValue(yaml, parseYaml);
  const isBlock = isRecord(entries) && Object.keys(entries).length > 0;
  return isBlock ? { entries, body } : { entries: {}, body: content };
}

function withoutTitle(body: string, title: string): string {
  if (!hasTitle(body, title)) return body;
  return body.replace(TITLE_LINE, '').replace(/^(?:[ \t]*\r?\n)+/, '');
}

/** A `#` heading. A title is read from its first 1,000 characters or so. */
const TITLE_LINE = /^\s{0,1000}#[ \t]{1,1000}([^\r\n]{0,1000})(?:\r?\n|$)/;
/** Number signs at the end of a heading, which are not part of it. */
const CLOSING_SIGNS = /[ \t]#+$/;
