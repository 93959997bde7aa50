import { CHUNK_MAX_TOKENS, SOURCE_MAX_CHUNKS } from '../limits.js';
import type { CutChunk } from './chunk.js';
import { metadataIn, splitFrontmatter } from './frontmatter.js';
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
): readonly CutChunk[] {
  const { pieces, metadataOf } = cut(fileContent, options);
  return pieces.map(({ at: _, ...piece }, chunkIndex) => ({
    ...piece,
    chunkIndex,
    ...metadataOf(chunkIndex),
  }));
}

/** A chunk and the line of the file where it begins, counted from 1. */
export interface PlacedChunk extends CutChunk {
  readonly line: number;
}

/** As `chunkMarkdownFile`, with the place of each chunk in the file. */
export function placedChunks(
  fileContent: string,
  options: ChunkingOptions,
): readonly PlacedChunk[] {
  const { pieces, metadataOf, bodyLine } = cut(fileContent, options);
  return pieces.map(({ at, ...piece }, chunkIndex) => ({
    ...piece,
    chunkIndex,
    line: bodyLine + at,
    ...metadataOf(chunkIndex),
  }));
}

function cut(fileContent: string, options: ChunkingOptions) {
  const { yaml, body } = splitFrontmatter(fileContent);
  const metadata = yaml === undefined ? {} : metadataIn(yaml, options.parseYaml);
  const lines = linesOf(withoutPictures(body));
  const heading = options.defaultHeading ?? titleOf(lines);
  const pieces =
    fitBlocks(blocksOf(lines, options.loneTitle), { ...options, heading }) ??
    fitBlock({ heading, lines, at: 0, linesAt: 0 }, { maxTokens: CHUNK_MAX_TOKENS });
  const isEvery = options.metadataOf === 'every';
  return {
    pieces,
    metadataOf: (chunkIndex: number) => (isEvery || chunkIndex === 0 ? metadata : {}),
    bodyLine: countLines(fileContent.slice(0, fileContent.length - body.length)),
  };
}

function countLines(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}

/** Without the data of inlined pictures, which nobody searches for. */
function withoutPictures(text: string): string {
  return text.includes('data:') ? text.replace(DATA_URI, '') : text;
}

/** Longer than 200 characters. */
const DATA_URI = /\bdata:[^\s,()<>"']{0,100},[^\s()<>"']{200,}/g;

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

/**
 * What comes before the first section, unless it is a title alone, and the sections. A `#` heading below the first `##`
 * begins another part of the file, and so ends the section above it.
 */
function* sectionsOf(
  lines: readonly Line[],
  loneTitle: ChunkingOptions['loneTitle'],
): Generator<Block> {
  const first = lines.findIndex(isSectionHeading);
  const starts: number[] = [];
  for (const [index, { headingLevel: level }] of lines.entries()) {
    if (level === 2 || (level === 1 && first < index)) starts.push(index);
  }
  const preamble = lines.slice(0, first);
  let title = isTitleAlone(preamble) ? preamble : undefined;
  if (title === undefined) yield blockAt(lines, 0, first);
  if (loneTitle !== 'prepend') title = undefined;
  for (const [index, start] of starts.entries()) {
    const heading = headingText(lines[start] as Line) || undefined;
    const own = blockAt(lines, headingEnd(lines, start), starts[index + 1]);
    if (heading === undefined && own.lines.every(isBlank)) continue;
    yield { ...own, heading, at: start, ...(title && { lines: [...title, ...own.lines] }) };
    title = undefined;
  }
}

function* paragraphBlocks(lines: readonly Line[]): Generator<Block> {
  let at = loneTitleEnd(lines);
  for (const paragraph of paragraphsOf(lines.slice(at))) {
    yield blockAt(lines, at, at + paragraph.length);
    at += paragraph.length;
  }
}

function blockAt(lines: readonly Line[], start: number, end: number | undefined): Block {
  const own = lines.slice(start, end);
  const blank = own.findIndex((line) => !isBlank(line));
  return { lines: own, linesAt: start, at: start + Math.max(0, blank) };
}

/** Where a title ends that stands alone at the beginning: above a blank line, or the end. */
function loneTitleEnd(lines: readonly Line[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  if (lines[first]?.headingLevel !== 1) return 0;
  const end = headingEnd(lines, first);
  const next = lines[end];
  return next === undefined || isBlank(next) ? end : 0;
}

/** Index of the line behind a heading. */
function headingEnd(lines: readonly Line[], start: number): number {
  let end = start + 1;
  while (lines[end]?.isHeadingRest === true) end += 1;
  return end;
}

/** True also where there is nothing at all. */
function isTitleAlone(lines: readonly Line[]): boolean {
  const [first, ...rest] = lines.filter((line) => !isBlank(line) && line.isHeadingRest !== true);
  return rest.length === 0 && (first === undefined || first.headingLevel === 1);
}
