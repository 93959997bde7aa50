import TurndownService from 'turndown';

/**
 * Markdown of an element of a page. Links keep their addresses where these are http or https; of an
 * image only its description stays.
 */
export function markdownOf(content: TurndownService.Node, baseUrl: string): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'button', 'select', 'textarea']);
  turndown.addRule('link', {
    filter: 'a',
    replacement: (text, node) => linkOf(text, addressOf(node, baseUrl)),
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_, node) => attributeOf(node, 'alt').replace(/\s+/g, ' ').trim(),
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

/** Text must not become a heading or open a fence. Nothing else is escaped: `snake_case` stays as it is. */
function escapeBlocks(text: string): string {
  return text.replace(/^(\s*)(#{1,6}\s|`{3,}|~{3,}|-{3,}\s*$)/gm, '$1\\$2');
}

function linkOf(text: string, address: string | undefined): string {
  const label = text.replace(/\s+/g, ' ').trim();
  return address === undefined || label === '' ? label : `[${label}](${address})`;
}

function addressOf(node: TurndownService.Node, baseUrl: string): string | undefined {
  const href = attributeOf(node, 'href');
  if (href.startsWith('#') || !URL.canParse(href, baseUrl)) return undefined;
  const url = new URL(href, baseUrl);
  const isPage = /^https?:$/.test(url.protocol) && url.href.length <= LINK_MAX_CHARACTERS;
  return isPage ? url.href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined;
}

/** A longer address is of no use to a reader. */
const LINK_MAX_CHARACTERS = 500;

function attributeOf(node: TurndownService.Node, name: string): string {
  return (node as { getAttribute?(name: string): string | null }).getAttribute?.(name) ?? '';
}
