import { COMMENTS_OF_MARKDOWN, withoutComments } from '../chunks/comments.js';
import {
  readFrontmatter,
  readMetadata,
  readSupersedes,
  splitFrontmatter,
} from '../chunks/frontmatter.js';
import { headingText, isBlank, parseLines, splitLines } from '../chunks/markdown.js';
import { isRecord } from '../records.js';
import { takeHead } from '../text.js';
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
export function editNote(
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
  const [line = '', own = ''] = TITLE_LINE.exec(body) ?? [];
  const title = onOneLine(own.trim().replace(CLOSING_SIGNS, ''));
  if (title !== '') return { title, content: body.slice(line.length).replace(BLANK_LINES, '') };
  return splitOtherTitle(body) ?? { content: body.replace(BLANK_LINES, '') };
}

/** A title that is underlined, or that follows comments, which stay. */
function splitOtherTitle(body: string): ReturnType<typeof splitTitle> | undefined {
  const head = withoutComments(parseLines(takeHead(body, 2_000)), COMMENTS_OF_MARKDOWN);
  const start = head.findIndex((line) => !isBlank(line));
  const first = head[start];
  const title = first?.headingLevel === 1 ? onOneLine(headingText(first)) : '';
  if (title === '' || title.length > TITLE_MAX_CHARACTERS) return undefined;
  let end = start + 1;
  while (head[end]?.isHeadingRest === true) end += 1;
  const lines = [...splitLines(body)];
  const content = [...lines.slice(0, start), ...lines.slice(end)].join('\n');
  return { title, content: content.replace(BLANK_LINES, '') };
}

const TITLE_MAX_CHARACTERS = 1_000;

/** A `#` heading. A title is read from its first 1,000 characters or so. */
const TITLE_LINE = /^\s{0,1000}#[ \t]{1,1000}([^\r\n]{0,1000})(?:\r\n?|\n|$)/;
const BLANK_LINES = /^(?:[ \t]*(?:\r\n?|\n))+/;
/** Trailing number signs, which are not part of a heading. */
const CLOSING_SIGNS = /[ \t]#+$/;
