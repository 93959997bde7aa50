import { readMetadata } from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';
import type { SavedText } from './saved-text.js';

/** A web page as its file keeps it. */
export interface SavedPage {
  /** The address that was asked for. */
  readonly source: string;
  readonly title: string;
  /** When this text was fetched, ISO 8601. */
  readonly fetched: string;
  /** By which the server recognizes this version. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  /** Markdown without the title. */
  readonly content: string;
}

export function textOfPage({ content, ...metadata }: SavedPage): SavedText {
  return { metadata: { ...metadata }, title: metadata.title, content };
}

/**
 * Reads the file of a page, which somebody may have changed.
 * @param frontmatter the parsed frontmatter, unchecked
 * @returns undefined if the file does not say which page it is of
 */
export function readPage(frontmatter: unknown, body: string): SavedPage | undefined {
  const fields = isRecord(frontmatter) ? frontmatter : {};
  const [source, title = '', fetched = '', etag, lastModified] = TEXTS.map((name) =>
    textIn(fields[name]),
  );
  if (source === undefined) return undefined;
  const content = body.replace(/^\s*# .*\n+/, '').trim();
  return { source, title, fetched, etag, lastModified, ...readMetadata(fields), content };
}

const TEXTS = ['source', 'title', 'fetched', 'etag', 'lastModified'];

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
