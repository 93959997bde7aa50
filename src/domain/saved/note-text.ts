import {
  readFrontmatter,
  readMetadata,
  readSupersedes,
  splitFrontmatter,
} from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';
import { withFrontmatter } from './frontmatter-edit.js';
import { readExpiry } from './note-dates.js';
import { receivedText } from './received-text.js';
import { onOneLine, type SavedText, savedText } from './saved-text.js';

export interface NoteText {
  readonly title: string;
  /** Markdown, which may begin with frontmatter and the title, as in a note's file. */
  readonly content: string;
  /** Overrides the tags of the frontmatter. */
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly supersedes?: string | undefined;
  /** When the note was first saved, ISO 8601. */
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly expires?: string | undefined;
  readonly author?: string | undefined;
  readonly session?: string | undefined;
}

/**
 * The text of a note's file. Frontmatter and title at the beginning of the content are recognized, so that a note can
 * be read, changed and written back.
 */
export function noteText(note: NoteText, parseYaml: (yaml: string) => unknown): SavedText {
  const title = onOneLine(note.title);
  const { entries, body } = splitEntries(receivedText(note.content), parseYaml);
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
      created: note.created,
      updated: note.updated,
      expires: note.expires ?? readExpiry(entries),
      author: note.author ?? entries['author'],
      session: note.session ?? entries['session'],
    },
    title,
    content: withoutTitle(body, title),
  };
}

/** Changes to a note; absent fields stay unchanged. */
export interface NoteChanges extends Omit<Partial<NoteText>, 'created' | 'author' | 'session'> {
  /** A paragraph to append. */
  readonly append?: string | undefined;
}

interface CurrentNote {
  /** The whole text of its file. */
  readonly text: string;
  readonly title: string;
  readonly content: string;
}

/**
 * The text of a note's file with some changes. The body is unchanged, byte for byte, unless title or content is given.
 */
export function changedNote(
  before: CurrentNote,
  { append, ...changes }: NoteChanges,
  parseYaml: (yaml: string) => unknown,
): string {
  const { title = before.title, content = before.content } = changes;
  const after = noteText({ ...changes, title, content }, parseYaml);
  const { yaml, body: ownBody } = splitFrontmatter(before.text);
  const isRewritten = changes.title !== undefined || changes.content !== undefined;
  const body = isRewritten ? savedText({ ...after, metadata: {} }) : ownBody;
  const whole = `${yaml === undefined ? '' : `---\n${yaml}---\n`}${body}`;
  const text =
    append === undefined ? whole : `${whole.trimEnd()}\n\n${receivedText(append).trim()}\n`;
  const { created: _, author: __, session: ___, ...properties } = after.metadata;
  const changed = {
    ...properties,
    ...(after.title !== before.title && hasTitleEntry(yaml) && { title: after.title }),
    tags: changes.tags === undefined ? noneIfEmpty(properties['tags']) : properties['tags'],
  };
  return withFrontmatter(text, changed, parseYaml);
}

function hasTitleEntry(yaml = ''): boolean {
  return /^title[ \t]*:/m.test(yaml);
}

function noneIfEmpty(tags: unknown): unknown {
  return Array.isArray(tags) && tags.length === 0 ? undefined : tags;
}

/** Whether a markdown text, without frontmatter, begins with this title. */
export function hasTitle(body: string, title: string): boolean {
  return splitTitle(body).title === title;
}

interface Split {
  readonly entries: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A block without entries is text. */
function splitEntries(content: string, parseYaml: (yaml: string) => unknown): Split {
  const { value: entries, body } = readFrontmatter(content.replace(/^\s+(?=---)/, ''), parseYaml);
  const isBlock = isRecord(entries) && Object.keys(entries).length > 0;
  return isBlock ? { entries, body } : { entries: {}, body: content };
}

function withoutTitle(body: string, title: string): string {
  return hasTitle(body, title) ? splitTitle(body).content : body;
}

/** The title at the beginning of a markdown text, if any, and the text after it. */
export function splitTitle(body: string): {
  readonly title?: string;
  readonly content: string;
} {
  const [line = '', marked, underlined = ''] = TITLE_LINE.exec(body) ?? [];
  const own = marked === undefined ? underlined.trim() : marked.trim().replace(CLOSING_SIGNS, '');
  const title = onOneLine(own);
  const content = body.slice(title === '' ? 0 : line.length).replace(/^(?:[ \t]*\r?\n)+/, '');
  return title === '' ? { content } : { title, content };
}

/** A heading, marked with `#` or underlined. A title is read from its first 1,000 characters or so. */
const TITLE_LINE =
  /^\s{0,1000}(?:#[ \t]{1,1000}([^\r\n]{0,1000})|([^\s>#|*+-][^\r\n]{0,1000})\r?\n {0,3}=+[ \t]*(?=\r?\n|$))(?:\r?\n|$)/;
/** Trailing number signs, which are not part of a heading. */
const CLOSING_SIGNS = /[ \t]#+$/;
