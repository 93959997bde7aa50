import { readMetadata } from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';
import { renderFrontmatter, withFrontmatter } from './frontmatter-edit.js';

export interface SavedText {
  /** Frontmatter entries, in this order; undefined values and empty lists are left out. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** On one line. */
  readonly title: string;
  readonly content: string;
}

/** The markdown of a saved file: frontmatter (if any), the title as a `#` heading, and the content. */
export function savedText({ metadata, title, content }: SavedText): string {
  return `${renderFrontmatter(metadata)}# ${renderHeading(title)}\n\n${content.trimEnd()}\n`;
}

interface DocumentText {
  /** Markdown, which may have frontmatter. */
  readonly content: string;
  /** Overrides the tags of the frontmatter. */
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
}

/** Sets tags and importance in the frontmatter of a document; other entries stay. */
export function documentText(
  { content, tags, importance }: DocumentText,
  parse: (yaml: string) => unknown,
): string {
  if (tags === undefined && importance === undefined) return content;
  const changes = { ...(tags !== undefined && { tags: tags.map(onOneLine) }), importance };
  return withFrontmatter(content, changes, parse);
}

/** One line without control characters: the form of titles and tags. */
export function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Appends a number sign if the title ends with one, because trailing number signs are not part of a heading. */
function renderHeading(title: string): string {
  return title.endsWith('#') ? `${title} #` : title;
}

/** A web page as stored in its file. */
export interface SavedPage {
  /** The requested address. */
  readonly source: string;
  readonly title: string;
  /** When this text was fetched, ISO 8601. */
  readonly fetched: string;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  /** Markdown without the title. */
  readonly content: string;
}

export function textOfPage({ content, ...metadata }: SavedPage): SavedText {
  return { metadata: { ...metadata }, title: metadata.title, content };
}

/**
 * Reads the file of a page, which may have been edited.
 * @param frontmatter the parsed frontmatter, unchecked
 * @returns undefined if the file does not name its page
 */
export function readPage(frontmatter: unknown, body: string): SavedPage | undefined {
  const fields = isRecord(frontmatter) ? frontmatter : {};
  const [source, title = '', fetched = ''] = TEXTS.map((name) => readText(fields[name]));
  if (source === undefined) return undefined;
  const content = body.replace(/^\s*# .*\n/, '').trim();
  return { source, title, fetched, ...readMetadata(fields), content };
}

const TEXTS = ['source', 'title', 'fetched'];

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A source of a digest, with the hash of the text read. */
export interface DigestSource {
  readonly sourceFile: string;
  readonly hash: string;
}

export interface Digest {
  readonly title: string;
  /** ISO 8601. */
  readonly made: string;
  readonly sources: readonly DigestSource[];
  /** Markdown without the title. */
  readonly content: string;
}

/** The frontmatter lists the sources and their hashes, in the same order. */
export function textOfDigest({ title, made, sources, content }: Digest): SavedText {
  return { metadata: { title, made, ...toLists(sources) }, title, content };
}

/** Whether a digest with this parsed, unchecked frontmatter was made from exactly these sources. */
export function isMadeFrom(frontmatter: unknown, made: readonly DigestSource[]): boolean {
  const { sources, hashes } = isRecord(frontmatter) ? frontmatter : {};
  return JSON.stringify({ sources, hashes }) === JSON.stringify(toLists(made));
}

function toLists(sources: readonly DigestSource[]) {
  return {
    sources: sources.map(({ sourceFile }) => sourceFile),
    hashes: sources.map(({ hash }) => hash),
  };
}

/** The unique file name of a digest: special characters are replaced with their code points. */
export function digestName(kind: 'category' | 'epic', id: string): string {
  const name = [...id]
    .map((char) => (/[\w-]/.test(char) ? char : `~${codePointDigits(char)}`))
    .join('');
  return `${kind}-${name}`.slice(0, NAME_MAX_CHARACTERS);
}

export const EPIC_ID_MAX_CHARACTERS = 200;

/**
 * Short enough for every file system. Long ids of epics can be cut to the same name; the later digest then replaces the
 * earlier one.
 */
const NAME_MAX_CHARACTERS = 240;

export function isEpicId(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= EPIC_ID_MAX_CHARACTERS;
}

function codePointDigits(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(6, '0');
}
