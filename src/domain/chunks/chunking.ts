import { CHUNK_MAX_TOKENS, SOURCE_MAX_CHUNKS } from '../limits.js';
import type { MemoryChunk } from './chunk.js';
import { mayHoldMetadata, readMetadata, splitFrontmatter } from './frontmatter.js';
import { headingText, isBlank, type Line, linesOf, paragraphsOf } from './markdown.js';
import { type Block, fitBlock, type Piece, type PieceSizes } from './pieces.js';
import { hasLetterOrDigit } from './text.js';

export interface ChunkingOptions {
  /** Reads the YAML of the frontmatter; returns undefined if it is not YAML. */
  readonly parseYaml: (yaml: string) => unknown;
  /** Tokens of heading and content together; default 500. */
  readonly maxTokens?: number;
  /** Tokens of the pieces into which a longer section or paragraph is cut; default `maxTokens`. */
  readonly pieceTokens?: number;
  /** Heading of a chunk without one of its own; default: the file's first `#` title. */
  readonly defaultHeading?: string;
  /**
   * What becomes of a `#` title that stands alone above the first section: `drop`, or `prepend` to the
   * content of that section, so that a search finds it. Default `drop`.
   */
  readonly loneTitle?: 'drop' | 'prepend';
  /** Which chunks have the tags and the importance of the frontmatter; default `first`. */
  readonly metadataOf?: 'first' | 'every';
}

/**
 * Cuts a markdown file into chunks (docs/specification.md, "Chunking"): one per `##` section, or one
 * per paragraph if the file has no `##` heading; more where a section or paragraph exceeds the limit. A
 * file that would have more than 5,000 chunks is cut by size alone. Indices run from 0 without a gap.
 * No text is lost except a `#` title that stands alone, which is the default heading, and paragraphs without a
 * letter or digit. A file without text has no chunks.
 */
export function chunkMarkdownFile(
  fileContent: string,
  options: ChunkingOptions,
): readonly MemoryChunk[] {
  const { yaml, body } = splitFrontmatter(fileContent);
  const isParsed = yaml !== undefined && mayHoldMetadata(yaml);
  const metadata = isParsed ? readMetadata(options.parseYaml(yaml)) : {};
  const lines = linesOf(body);
  const heading = options.defaultHeading ?? titleOf(lines);
  const pieces =
    fitBlocks(blocksOf(lines, options.loneTitle), { ...options, heading }) ??
    fitBlock({ heading, lines }, { maxTokens: CHUNK_MAX_TOKENS });
  const isEvery = options.metadataOf === 'every';
  return pieces.map((piece, chunkIndex) => ({
    ...piece,
    chunkIndex,
    ...((isEvery || chunkIndex === 0) && metadata),
  }));
}

interface FitRules extends Partial<PieceSizes> {
  /** Of the blocks without one of their own. */
  readonly heading: string | undefined;
}

/** Undefined if there are too many. Every block makes at least one piece. */
function fitBlocks(
  blocks: Iterable<Block>,
  { heading, maxTokens = CHUNK_MAX_TOKENS, pieceTokens }: FitRules,
): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const block of blocks) {
    const withHeading = { ...block, heading: block.heading ?? heading };
    for (const piece of fitBlock(withHeading, { maxTokens, pieceTokens })) pieces.push(piece);
    if (pieces.length > SOURCE_MAX_CHUNKS) return undefined;
  }
  return pieces;
}

function* blocksOf(
  lines: readonly Line[],
  loneTitle: ChunkingOptions['loneTitle'],
): Generator<Block> {
  const blocks = lines.some(isSectionHeading)
    ? sectionsOf(lines, loneTitle)
    : paragraphBlocks(lines);
  for (const block of blocks) {
    const hasText = block.lines.some(({ text }) => hasLetterOrDigit(text));
    if (block.heading !== undefined || hasText) yield block;
  }
}

function titleOf(lines: readonly Line[]): string | undefined {
  const title = lines.find((line) => line.headingLevel === 1);
  return (title && headingText(title)) || undefined;
}

function isSectionHeading(line: Line): boolean {
  return line.headingLevel === 2;
}

/** What comes before the first section, unless it is a title alone, and the sections. */
function* sectionsOf(
  lines: readonly Line[],
  loneTitle: ChunkingOptions['loneTitle'],
): Generator<Block> {
  const starts = lines.flatMap((line, index) => (isSectionHeading(line) ? [index] : []));
  const preamble = lines.slice(0, starts[0]);
  let title = isTitleAlone(preamble) ? preamble : undefined;
  if (title === undefined) yield { lines: preamble };
  if (loneTitle !== 'prepend') title = undefined;
  for (const [index, start] of starts.entries()) {
    const heading = headingText(lines[start] as Line) || undefined;
    const own = lines.slice(start + 1, starts[index + 1]);
    if (heading === undefined && own.every(isBlank)) continue;
    yield { heading, lines: title === undefined ? own : [...title, ...own] };
    title = undefined;
  }
}

function* paragraphBlocks(lines: readonly Line[]): Generator<Block> {
  const first = lines.findIndex((line) => !isBlank(line));
  const titleStandsAlone = isTitleAlone(lines.slice(0, first + 2));
  const paragraphs = paragraphsOf(titleStandsAlone ? lines.slice(first + 1) : lines);
  for (const paragraph of paragraphs) yield { lines: paragraph };
}

/** True also where there is nothing at all. */
function isTitleAlone(lines: readonly Line[]): boolean {
  const [first, ...rest] = lines.filter((line) => !isBlank(line));
  return rest.length === 0 && (first === undefined || first.headingLevel === 1);
}
