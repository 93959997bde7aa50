import { splitFrontmatter } from '../../../domain/chunks/frontmatter.js';
import { type ReadablePage, UnreadablePage } from './readable-page.js';

/** A page of plain text or markdown; a `#` heading at its beginning is its title. */
export function readTextPage(text: string): ReadablePage {
  const body = splitFrontmatter(text).body.trim();
  const [, title] = TITLE_LINE.exec(body) ?? [];
  const markdown = title === undefined ? body : body.replace(TITLE_LINE, '').trim();
  if (markdown === '') throw new UnreadablePage('it has no text');
  return { title: title ?? '', markdown };
}

const TITLE_LINE = /^# +(.+)/;
