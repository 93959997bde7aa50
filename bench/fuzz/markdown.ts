import fc from 'fast-check';
import { chunkMarkdownFile } from '../../src/index.js';
import type { FuzzFamily } from './family.js';

/** B3: markdown of every kind becomes chunks of at most 500 tokens, numbered without a gap, with all of its text. */
export const markdown: FuzzFamily = {
  name: 'markdown',
  title: 'B3 markdown',
  defaultRuns: 5000,
  async run({ runs, seed }) {
    assertLossless((text) => chunkMarkdownFile(text), runs, seed);
    return [`${ADVERSARIAL.length} adversarial texts, each in less than ${SLOWEST_MS} ms`];
  },
  async negativeControl({ seed }) {
    assertLossless((text) => chunkMarkdownFile(text).slice(0, 3), 1000, seed);
  },
};

const SLOWEST_MS = 3000;

export const ADVERSARIAL = [
  '>'.repeat(5000),
  '## x\n'.repeat(20_000),
  '```\n'.repeat(20_001),
  'word '.repeat(100_000),
  'x'.repeat(1_000_000),
  `${'<!-- '.repeat(5000)}## not a heading`,
  '[a]('.repeat(50_000),
  '\r'.repeat(100_000),
  `${'- '.repeat(20_000)}end`,
];

type Chunker = (text: string) => ReturnType<typeof chunkMarkdownFile>;

function assertLossless(chunksOf: Chunker, numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyMarkdown, (text) => check(chunksOf, text)),
    { numRuns, seed, examples: ADVERSARIAL.map((text) => [text]) },
  );
}

function check(chunksOf: Chunker, text: string): void {
  const begin = performance.now();
  const chunks = chunksOf(text);
  if (performance.now() - begin > SLOWEST_MS) throw new Error('too slow');
  if (chunks.some(({ chunkIndex }, place) => chunkIndex !== place)) throw new Error('a gap');
  const stored = chunks.map(({ heading = '', content }) => `${heading} ${content}`).join(' ');
  const words = new Set(stored.match(WORD));
  const missing = (text.match(WORD) ?? []).filter((word) => !words.has(word));
  if (missing.length > 0) throw new Error(`lost: ${missing.slice(0, 5)}`);
}

/** Words of the generated texts that say where they came from. */
const WORD = /\bw\d+q\b/g;

const line = fc.oneof(
  fc.nat(9999).map((n) => `w${n}q`),
  fc.nat(9999).map((n) => `## w${n}q`),
  fc.nat(9999).map((n) => `### w${n}q`),
  fc.nat(9999).map((n) => `text w${n}q. ${'More words. '.repeat(n % 80)}`),
  fc.constantFrom('', '```', '~~~', '---', '<!--', '-->', '===', '> quote', '- item', '    code'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
export const anyMarkdown = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 60 })
  .map((lines) => `## First\n\n${lines.flat().join('')}`);
