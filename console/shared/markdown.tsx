import type { Node } from 'commonmark';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Renders project text as Markdown. HTML stays text, images are not loaded, and links are text, since they lead to
 * files of the project. Shows the source until the parser is loaded.
 */
export function Markdown({ text }: { readonly text: string }) {
  const [parse, setParse] = useState<(text: string) => Node>();
  useEffect(() => {
    void import('commonmark').then(({ Parser }) => {
      const parser = new Parser();
      setParse(() => (markdown: string) => parser.parse(markdown));
    });
  }, []);
  if (parse === undefined) return <p class="content">{text}</p>;
  return (
    <div class="markdown" dir="auto">
      {childrenOf(parse(text))}
    </div>
  );
}

function childrenOf(node: Node): ComponentChildren {
  const children = [];
  for (let child = node.firstChild; child !== null; child = child.next)
    children.push(renderNode(child));
  return children;
}

function renderNode(node: Node): ComponentChildren {
  return RENDERERS[node.type]?.(node) ?? node.literal ?? childrenOf(node);
}

const RENDERERS: Readonly<Record<string, (node: Node) => ComponentChildren>> = {
  paragraph: (node) =>
    isTable(node) ? <Code>{childrenOf(node)}</Code> : <p>{childrenOf(node)}</p>,
  // All headings get the level below the page's own, because a chunk may begin with any level.
  heading: (node) => <h2>{childrenOf(node)}</h2>,
  softbreak: () => '\n',
  linebreak: () => <br />,
  emph: (node) => <em>{childrenOf(node)}</em>,
  strong: (node) => <strong>{childrenOf(node)}</strong>,
  code: ({ literal }) => <code>{literal}</code>,
  code_block: ({ literal }) => <Code>{literal}</Code>,
  html_block: ({ literal }) => <Code>{literal}</Code>,
  block_quote: (node) => <blockquote>{childrenOf(node)}</blockquote>,
  list: (node) =>
    node.listType === 'ordered' ? (
      <ol start={node.listStart}>{childrenOf(node)}</ol>
    ) : (
      <ul>{childrenOf(node)}</ul>
    ),
  item: (node) => <li>{childrenOf(node)}</li>,
  thematic_break: () => <hr />,
  link: (node) => <span title={node.destination ?? ''}>{childrenOf(node)}</span>,
  image: (node) => <span title={node.destination ?? ''}>[{childrenOf(node)}]</span>,
};

/** Whether a paragraph is a table, to be shown as source: CommonMark has no tables. */
function isTable({ firstChild }: Node): boolean {
  return firstChild?.type === 'text' && firstChild.literal?.startsWith('|') === true;
}

function Code({ children }: { readonly children: ComponentChildren }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
  return <pre tabIndex={0}>{children}</pre>;
}
