import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import TurndownService from 'turndown';
import { type ReadablePage, UnreadablePage } from './readable-page.js';

/**
 * Extracts the main text of a web page as markdown, without navigation and advertisements.
 * @param url the address against which relative links are resolved
 * @throws UnreadablePage if it has no text or too many elements, or is nested too deeply
 */
export function readHtml(html: string, url: string): ReadablePage {
  const { document } = parseHTML(normalizeHtml(html));
  const base = baseUrl(document.querySelector('base')?.getAttribute('href'), url);
  const article = new Readability(document, { serializer: (content) => content }).parse();
  const markdown = article?.content ? toMarkdown(article.content, base) : '';
  if (markdown === '') throw new UnreadablePage('it has no text');
  return { title: article?.title ?? '', markdown };
}

/**
 * Rewrites HTML as a browser reads it, with all optional elements. linkedom's own parser loses the body of a page
 * without a `<body>` tag, and neither it nor Readability has limits: deep nesting makes them take quadratic time or
 * overflow the stack.
 */
function normalizeHtml(html: string): string {
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

function baseUrl(href: string | null | undefined, url: string): string {
  return href && URL.canParse(href, url) ? new URL(href, url).href : url;
}

/** Converts an element to markdown. Links keep http and https addresses; images keep only their descriptions. */
function toMarkdown(content: TurndownService.Node, baseUrl: string): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'button', 'select', 'textarea']);
  turndown.addRule('link', {
    filter: 'a',
    replacement: (text, node) => formatLink(text, linkTarget(node, baseUrl)),
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_, node) => readAttribute(node, 'alt').replace(/\s+/g, ' ').trim(),
  });
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (text) => `${text.replace(/\s+/g, ' ').trim()} | `,
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (text) => `\n${text.replace(/ \| $/, '')}`,
  });
  turndown.escape = escapeBlocks;
  return turndown.turndown(content).trim();
}

/** Escapes text that would become a heading, fence or rule. Nothing else is escaped: `snake_case` stays as it is. */
function escapeBlocks(text: string): string {
  return text.replace(
    /^([^\S\r\n\u2028\u2029]*)(#{1,6}\s|`{3,}|~{3,}|-{3,}[^\S\r\n\u2028\u2029]*$)/gm,
    '$1\\$2',
  );
}

function formatLink(text: string, address: string | undefined): string {
  const label = text.replace(/\s+/g, ' ').trim();
  return address === undefined || label === '' ? label : `[${label}](${address})`;
}

function linkTarget(node: TurndownService.Node, baseUrl: string): string | undefined {
  const href = readAttribute(node, 'href');
  if (href.startsWith('#') || !URL.canParse(href, baseUrl)) return undefined;
  const url = new URL(href, baseUrl);
  const isPage = /^https?:$/.test(url.protocol) && url.href.length <= LINK_MAX_CHARACTERS;
  return isPage ? url.href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined;
}

/** Links to longer addresses become plain text, because such an address is of no use to a reader. */
const LINK_MAX_CHARACTERS = 500;

function readAttribute(node: TurndownService.Node, name: string): string {
  return (node as { getAttribute?(name: string): string | null }).getAttribute?.(name) ?? '';
}

const PAGE_MAX_ELEMENTS = 100_000;

const PAGE_MAX_DEPTH = 500;
