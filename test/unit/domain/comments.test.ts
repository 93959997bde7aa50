import { describe, expect, it } from 'vitest';
import { chunkMarkdownFile, cutMarkdownFile } from '../../../src/domain/chunks/chunking.js';
import { syntaxFor } from '../../../src/domain/chunks/other-syntaxes.js';

function outline(file: string, text: string) {
  const chunks = chunkMarkdownFile(text, { parseYaml: () => undefined, syntax: syntaxFor(file) });
  return chunks.map(({ heading, content }) => [heading, content]);
}

describe('a comment', () => {
  it.each([
    ['a.mdx', '{/*\n## Old section\n\ndraft\n*/}\n## Kept\ntext', [['Kept', 'text']]],
    [
      'a.MDX',
      '## Kept\nSeen {/* hidden */}and { /* hidden */ }seen.',
      [['Kept', 'Seen and seen.']],
    ],
    [
      'a.mdx',
      '<Tabs>\n  {/* hidden */}\n  seen\n</Tabs>',
      [[undefined, '<Tabs>\n\n  seen\n</Tabs>']],
    ],
    ['a.mdx', '<!-- hidden -->\n\nseen', [[undefined, 'seen']]],
    ['a.mdx', '{\n  /* hidden\n## Old\n\n*/\n}\n## Kept\ntext', [['Kept', 'text']]],
    ['a.mdx', '{\n  /* hidden */\n}\n\nseen', [[undefined, 'seen']]],
    ['a.md', '<!--\n## Old section\n\n```\ndraft\n-->\n## Kept\ntext', [['Kept', 'text']]],
    ['a.md', '## Title <!-- omit in toc -->\nSeen.', [['Title', 'Seen.']]],
    ['a.md', 'Title <!-- x -->\n---\nSeen.', [['Title', 'Seen.']]],
    [
      'a.md',
      'Seen <!-- one\ntwo -->and <!-- `three -->`seen`.',
      [[undefined, 'Seen\nand `seen`.']],
    ],
    ['a.md', '- one <!-- hidden -->\n  - two', [[undefined, '- one\n  - two']]],
    ['a.md', '# Title\n<!-- hidden -->\n', [['Title', 'Title']]],
    ['a.md', '<!-- hidden -->', []],
    ['a.md', '<!-- a --><!-- b -->seen <!---> too', [[undefined, 'seen  too']]],
    ['a.md', '# Title\n  <!-- hidden\nhidden -->\n', [['Title', 'Title']]],
    ['a.md', '# Title\n  <!-- hidden -->\n', [['Title', 'Title']]],
    ['a.md', 'Long\ntitle <!-- x -->\n---\nSeen.', [['Long title', 'Seen.']]],
    ['a.md', 'Title <!-- hidden -->\n===\nSeen.', [['Title', 'Title\n===\nSeen.']]],
    ['a.md', ' Seen    <!-- hidden -->', [[undefined, ' Seen']]],
    [
      'a.md',
      'Seen <!-- hidden -->\nwith a break  \ntoo',
      [[undefined, 'Seen\nwith a break  \ntoo']],
    ],
  ])('is no text: in %s, %j', (file, text, expected) => {
    expect(outline(file, text)).toEqual(expected);
  });

  it.each([
    ['a.mdx', '```mdx\n{/* shown */}\n<!-- shown -->\n```'],
    ['a.mdx', 'Write `{/* shown */}` or ``<!-- shown -->``.'],
    ['a.md', '    <!-- shown -->'],
    ['a.md', 'Code:\n\n    <!-- shown -->'],
    ['a.md', 'Code:\n\n```\n<!-- shown -->\n```'],
    ['a.md', '~~~\n<!--\nshown\n-->\n~~~'],
    ['a.md', '<!-- never closed\n\ntext'],
    ['a.md', 'Never closed <!-- here,\n\n--> there.'],
    ['a.md', 'Never closed <!-- here,\n<div>\n--> there.\n</div>'],
    ['a.md', 'Write {/* shown */} in JSX.'],
    ['a.md', '{\n  /* shown */\n}'],
    ['a.txt', '<!-- shown -->'],
  ])('is text where the page shows it: in %s, %j', (file, text) => {
    const kept = outline(file, text).map(([, content]) => content);
    expect(kept.join('\n\n')).toBe(text);
  });

  it.each([
    ['## A <!-- never closed\nhere -->', 'A <!-- never closed', 'here -->'],
    ['A\nB <!-- never closed\n---\nhere -->', 'A B <!-- never closed', 'here -->'],
    ['## A\n    <!-- code -->', 'A', '    <!-- code -->'],
  ])('ends with the heading that it begins in: %j', (text, heading, content) => {
    expect(outline('a.md', text)).toEqual([[heading, content]]);
  });

  it('leaves no blank at the end of a title', () => {
    const { names } = cutMarkdownFile('Title <!-- hidden -->\n===\n', {
      parseYaml: () => undefined,
    });
    expect(names).toEqual({ title: 'Title' });
  });

  it('is text in a conversation', () => {
    const options = { parseYaml: () => undefined, syntax: 'conversation' } as const;
    const [chunk] = chunkMarkdownFile('## Said\nUse <!-- this -->.', options);
    expect(chunk?.content).toBe('Use <!-- this -->.');
  });

  it('keeps the place of the lines below it', () => {
    const text = '<!--\nhidden\n-->\n## A\n\nseen\n<!-- hidden -->\n\nmore\n';
    const { chunks } = cutMarkdownFile(text, { parseYaml: () => undefined, maxTokens: 3 });
    expect(chunks).toEqual([
      { heading: 'A', content: 'seen', line: 4 },
      { heading: 'A', content: 'more', line: 9 },
    ]);
  });
});
