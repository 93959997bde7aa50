import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import { PAGE_MAX_DEPTH, PAGE_MAX_ELEMENTS } from '../../../domain/limits.js';
import { markdownOf } from './html-markdown.js';
import { type ReadablePage, UnreadablePage } from './readable-page.js';

/**
 * The main text of a web page, without navigation and advertisements, as markdown.
 * @param url the address by which relative links are resolved
 * @throws UnreadablePage if it has no text or too many elements, or is nested too deeply
 */
export function readHtml(html: string, url: string): ReadablePage {
  const { document } = parseHTML(normalized(html));
  const base = baseOf(document.querySelector('base')?.getAttribute('href'), url);
  const article = new Readability(document, { serializer: (content) => content }).parse();
  const markdown = article?.content ? markdownOf(article.content, base) : '';
  if (markdown === '') throw new UnreadablePage('it has no text');
  return { title: article?.title ?? '', markdown };
}

/**
 * HTML as a browser reads it, with all elements that may be left out. linkedom's own parser loses the
 * body of a page that has no `<body>` tag, and neither it nor Readability has limits: they take
 * quadratic time, or overflow the stack, with deep nesting.
 */
function normalized(html: string): string {
  const document = parse(html);
  checkSize(document);
  return serialize(document);
}

function checkSize(document: DefaultTreeAdapterTypes.Document): void {
  let elements = 0;
  const open: OpenNode[] = [{ node: document, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    elements += 1;
    if (elements > PAGE_MAX_ELEMENTS) throw new UnreadablePage('it has too many elements');
    if (depth > PAGE_MAX_DEPTH) throw new UnreadablePage('its elements are nested too deeply');
    if (!('childNodes' in node)) continue;
    for (const child of node.childNodes) open.push({ node: child, depth: depth + 1 });
  }
}

interface OpenNode {
  readonly node: DefaultTreeAdapterTypes.Node;
  readonly depth: number;
}

function baseOf(href: string | null | undefined, url: string): string {
  return href && URL.canParse(href, url) ? new URL(href, url).href : url;
}
