import { CHUNK_MAX_TOKENS, SOURCE_MAX_CHUNKS } from '../limits.js';
import { inOneGo, type Steps } from '../steps.js';
import type { MemoryChunk } from './chunk.js';
import { mayHoldMetadata, readMetadata, splitFrontmatter } from './frontmatter.js';
import { headingText, isBlank, type Line, paragraphsOf, readLines } from './markdown.js';
import { type Block, fitBlock, type Piece } from './pieces.js';

export interface ChunkingOptions {
  /** Reads the YAML of the frontmatter; returns undefined if it is not YAML. */
  readonly parseYaml: (yaml: string) => unknown;
  /** Tokens of heading and content together; default 500. */
  readonly maxTokens?: number;
  /** Heading of a chunk without one of its own; default: the file's first `#` title. */
  readonly defaultHeading?: string;
  /**
   * What becomes of a `#` title that stands alone above the first section: `drop`, or `prepend` to the
   * content of that section, so that a search finds it. Default `drop`.
   */
  readonly loneTitle?: 'drop' | 'prepend';
}

/**
 * Cuts a markdown file into chunks (docs/specification.md, "Chunking"): one per `##` section, or one
 * per paragraph if the file has no `##` heading; more where a section or paragraph exceeds the limit. A
 * file that would have more than 5,000 chunks is cut by size alone. Indices run from 0 without a gap.
 * The metadata of the frontmatter goes to the first chunk. No text is lost except a `#` title that
 * stands alone, which is the default heading. A file without text has no chunks.
 */
export function chunkMarkdownFile(
  fileContent: string,
  options: ChunkingOptions,
): readonly MemoryChunk[] {
  return inOneGo(cutMarkdownFile(fileContent, options));
}

/** The same in steps: a file of 10 MB takes half a second. */
export function* cutMarkdownFile(
  fileContent: string,
  options: ChunkingOptions,
): Steps<readonly MemoryChunk[]> {
  const { yaml, body } = splitFrontmatter(fileContent);
  const isParsed = yaml !== undefined && mayHoldMetadata(yaml);
  const metadata = isParsed ? readMetadata(options.parseYaml(yaml)) : {};
  const lines = yield* readLines(body);
  const heading = options.defaultHeading ?? titleOf(lines);
  const blocks = lines.some(isSectionHeading)
    ? yield* sectionsOf(lines, options.loneTitle)
    : paragraphBlocks(lines);
  yield;
  const pieces =
    (yield* fitBlocks(blocks, { heading, maxTokens: options.maxTokens })) ??
    (yield* fitBlock({ heading, lines }, CHUNK_MAX_TOKENS));
  return pieces.map((piece, chunkIndex) => ({
    ...piece,
    chunkIndex,
    ...(chunkIndex === 0 && metadata),
  }));
}

interface FitRules {
  /** Of the blocks without one of their own. */
  readonly heading: string | undefined;
  readonly maxTokens: number | undefined;
}

/** Undefined if there are too many. Every block makes at least one piece. */
function* fitBlocks(
  blocks: readonly Block[],
  { heading, maxTokens = CHUNK_MAX_TOKENS }: FitRules,
): Steps<readonly Piece[] | undefined> {
  if (blocks.length > SOURCE_MAX_CHUNKS) return undefined;
  const pieces: Piece[] = [];
  for (const block of blocks) {
    const withHeading = { ...block, heading: block.heading ?? heading };
    for (const piece of yield* fitBlock(withHeading, maxTokens)) pieces.push(piece);
  }
  return pieces.length > SOURCE_MAX_CHUNKS ? undefined : pieces;
}

function titleOf(lines: readonly Line[]): string | undefined {
  const title = lines.find((line) => line.headingLevel === 1);
  return (title && headingText(title)) || undefined;
}

function isSectionHeading(line: Line): boolean {
  return line.headingLevel === 2;
}

/** What comes before the first section, unless it is a title alone, and the sections that hold anything. */
function* sectionsOf(
  lines: readonly Line[],
  loneTitle: ChunkingOptions['loneTitle'],
): Steps<readonly Block[]> {
  const starts = lines.flatMap((line, index) => (isSectionHeading(line) ? [index] : []));
  const preamble = lines.slice(0, starts[0]);
  const sections: Block[] = [];
  for (const [index, start] of starts.entries()) {
    const heading = headingText(lines[start] as Line) || undefined;
    const section = { heading, lines: lines.slice(start + 1, starts[index + 1]) };
    if (heading !== undefined || !section.lines.every(isBlank)) sections.push(section);
    yield;
  }
  if (!isTitleAlone(preamble)) return [{ lines: preamble }, ...sections];
  const [first, ...others] = sections;
  if (first === undefined || loneTitle !== 'prepend') return sections;
  return [{ ...first, lines: [...preamble, ...first.lines] }, ...others];
}

function paragraphBlocks(lines: readonly Line[]): readonly Block[] {
  const first = lines.findIndex((line) => !isBlank(line));
  const titleStandsAlone = isTitleAlone(lines.slice(0, first + 2));
  const paragraphs = paragraphsOf(titleStandsAlone ? lines.slice(first + 1) : lines);
  return paragraphs.map((paragraph) => ({ lines: paragraph }));
}

/** True also where there is nothing at all. */
function isTitleAlone(lines: readonly Line[]): boolean {
  const [first, ...rest] = lines.filter((line) => !isBlank(line));
  return rest.length === 0 && (first === undefined || first.headingLevel === 1);
}
