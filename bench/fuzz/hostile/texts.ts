import fc from 'fast-check';
import { hostileText } from '../../../test/support/hostile-text.js';
import { once, type Plants, type Scene } from './plant.js';

/** Sources with hostile text. */
export const TEXT_PLANTS: Plants = {
  frontmatter: once((scene) => write(scene, `---\n${repeated(scene)}\n---\na tapir\n`)),
  'notes that replace each other': once(replacingNotes),
  markdown: once((scene) => write(scene, document(scene))),
  citations: once((scene) => write(scene, `## C\n\n${mentions(scene)}\n`)),
};

/** A text that a client sends: markdown, a page, or bytes that are not text. */
export function document(scene: Scene): string {
  const { random } = scene;
  return random.pick([
    () => sample(scene, hostileText),
    () => repeated(scene),
    () => `<html><body>${random.pick(TAGS).repeat(random.pick([1, 1000, 50_000]))}</body></html>`,
    () => `%PDF-1.7\n${random.bytes(2000).toString('latin1')}\n%%EOF`,
  ])();
}

const TAGS = [
  '<div>',
  '<table><tr><td>',
  '<a href="javascript:1">',
  '<!--',
  '<p><b><i>',
  '&#x202e;',
  '</p>',
  '<svg><script>',
];

const PARTS = [
  ...'[ { > # * _ < | 中 한 é % x 0 ( )'.split(' '),
  '? ',
  '- ',
  '> - ',
  '## a\n',
  '**a',
  '`',
  '```\n',
  '~~~\n',
  '[a](',
  '![',
  '<!--',
  '|-|\n',
  '\n',
  '\r',
  '\t',
  ' ',
  '\u00a0',
  '\u200b',
  '👩‍👩‍👧',
  'e\u0301',
  '\\',
  '&amp;',
  '"',
  "'",
  ': ',
  '*a ',
  '&a [*a, ',
  '!!',
  '---\n',
  'a/',
  '../',
  'a.b.c/',
  'pool.ts:1-',
  '`a/b',
  'http://a.',
  'a ',
  '1. ',
  '=\n',
  'a\n=\n',
  'a b. ',
  'A.B.',
  '\ud800',
  '\0',
];

/** Repeats one to three parts very often, to provoke quadratic time or a deep stack. */
function repeated({ random }: Scene): string {
  const length = random.pick([100, 8000, 16_000, 200_000, 900_000]);
  const unit = Array.from({ length: 1 + random.below(3) }, () => random.pick(PARTS)).join('');
  const opening = random.pick(['', 'tags: ', 'importance: ', 'cites: ', 'supersedes: ', '"', '- ']);
  return (
    opening + unit.repeat(Math.ceil(length / unit.length)) + random.pick(['', 'end', ']', '"'])
  );
}

function write(scene: Scene, text: string): void {
  const { random, project } = scene;
  const path = random.pick([
    'docs/a.md',
    'README.md',
    '.knowledge/memory/a.md',
    '.knowledge/notes/a.md',
    '.knowledge/features/f/reflection.md',
    '.knowledge/features/f/agent-output.md',
    '.knowledge/urls/a.md',
    '.knowledge/digests/a.md',
  ]);
  project.write(
    path,
    random.pick([
      text,
      text,
      `\ufeff${text}`,
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'latin1'),
    ]),
  );
}

function sample<T>({ random }: Scene, arbitrary: fc.Arbitrary<T>): T {
  const [value] = fc.sample(arbitrary, { numRuns: 1, seed: random.below(2 ** 31) });
  return value as T;
}

/** Notes that replace each other in rings, in long chains, and many replacing one. */
function replacingNotes({ random, project }: Scene): void {
  const count = random.pick([1, 2, 3, 300]);
  for (let note = 0; note < count; note += 1) {
    const older = random.pick([
      (note + 1) % count,
      note,
      note - 1,
      0,
      'missing',
      '../../outside/secret',
      '__proto__',
    ]);
    project.write(`.knowledge/notes/n${note}.md`, `---\nsupersedes: n${older}\n---\na tapir\n`);
  }
}

function mentions({ random, project }: Scene): string {
  const files = ['src/a.ts', 'src/deep/b.ts'];
  project.write('src/a.ts', 'line\n'.repeat(random.pick([1, 1000, 300_000])));
  project.write('src/deep/b.ts', random.bytes(random.pick([0, 100, 3000])));
  const lines = [
    '',
    ':1',
    ':1-999999999999',
    ':0-0',
    ':9-1',
    '#L1-L9',
    ':1e9',
    `:${'9'.repeat(400)}`,
  ];
  const paths = [
    ...files,
    '../outside/secret.md',
    '/etc/passwd',
    'a.ts',
    'src',
    './src/../src/a.ts',
    'src/a.ts\0',
    '/dev/zero',
  ];
  return Array.from({ length: random.pick([1, 30, 3000]) }, () => {
    const mention = `${random.pick(paths)}${random.pick(lines)}`;
    return random.pick([mention, `\`${mention}\``, `[x](${mention})`]);
  }).join(' ');
}
