import fc from 'fast-check';
import { chunkMarkdownFile } from '../../src/index.js';
import type { FuzzFamily } from './family.js';

/** B4: frontmatter of every kind gives valid metadata or none, and never fails the file. */
export const frontmatter: FuzzFamily = {
  name: 'frontmatter',
  title: 'B4 frontmatter',
  defaultRuns: 5000,
  async run({ runs, seed }) {
    assertValid((text) => chunkMarkdownFile(text), runs, seed);
    return [];
  },
  async negativeControl({ seed }) {
    const careless: Chunker = (text) => {
      const importance = Number(/importance: *(\S+)/.exec(text)?.[1] ?? 0.5);
      return [{ chunkIndex: 0, content: 'the body', importance }];
    };
    assertValid(careless, 1000, seed);
  },
};

type Chunker = (text: string) => ReturnType<typeof chunkMarkdownFile>;

function assertValid(chunksOf: Chunker, numRuns: number, seed: number): void {
  fc.assert(
    fc.property(anyFrontmatter, (yaml) => check(chunksOf(`---\n${yaml}\n---\nthe body\n`))),
    { numRuns, seed },
  );
}

function check(chunks: ReturnType<Chunker>): void {
  if (!chunks.some(({ content }) => content.includes('the body'))) throw new Error('no body');
  const polluted: Readonly<Record<string, unknown>> = {};
  if (polluted['polluted'] !== undefined) throw new Error('a polluted prototype');
  for (const { tags = ['none'], importance = 0.5 } of chunks) {
    if (!(importance >= 0 && importance <= 1)) throw new Error(`importance ${importance}`);
    const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && tag.length <= 100;
    if (tags.length === 0 || tags.length > 64 || !tags.every(isTag))
      throw new Error(`tags ${tags}`);
  }
}

const value = fc.oneof(
  fc.constantFrom('.nan', '.inf', '-.inf', '1e999', '0x1F', '"0.9"', '0.5', '-1', '2', 'null', ''),
  fc.constantFrom(
    '[a, b]',
    '[a, null, 1]',
    '{a: b}',
    '&a [*a]',
    '*none',
    '!!js/function x',
    '|',
    '>',
  ),
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.array(fc.string({ maxLength: 150 }), { maxLength: 100 }).map((tags) => JSON.stringify(tags)),
  fc.string({ maxLength: 30 }),
);
const entry = fc
  .tuple(fc.constantFrom('tags', 'importance', '__proto__', 'constructor', 'polluted', 'a'), value)
  .map(([key, text]) => `${key}: ${text}`);
const bomb = `a: &a [x, x]\n${Array.from({ length: 12 }, (_, i) => `b${i}: &b${i} [${i === 0 ? '*a, *a' : `*b${i - 1}, *b${i - 1}`}]`).join('\n')}\ntags: *b11`;
/** What may stand between the two lines `---`. */
export const anyFrontmatter = fc.oneof(
  { weight: 10, arbitrary: fc.array(entry, { maxLength: 6 }).map((lines) => lines.join('\n')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(withoutFence) },
  { weight: 1, arbitrary: fc.constantFrom(bomb, 'tags: [', '{', '!!binary x', '%YAML 9.9', '? ?') },
);

function withoutFence(text: string): string {
  return text.replaceAll(/^(---|\.\.\.)/gm, 'x');
}
