import { CHUNK_MAX_TOKENS, SOURCE_MAX_CHUNKS, SOURCE_MAX_LINES } from '../limits.js';
import { hasLetterOrDigit } from '../text.js';
import { withoutReferences } from './character-references.js';
import type { CutChunk } from './chunk.js';
import { COMMENTS_OF_MARKDOWN, COMMENTS_OF_MDX, withoutComments } from './comments.js';
import { parseMetadata, splitFrontmatter } from './frontmatter.js';
import { type Line, parseLines, splitLines } from './markdown.js';
import { asciidocLines, plainLines, restructureLines, type Syntax } from './other-syntaxes.js';
import { type Block, fitBlock, type Piece, type PieceSizes } from './pieces.js';
import { findTitle, type LoneTitle, splitBlocks } from './sections.js';
import type { SourceNames } from './source-names.js';

export interface ChunkingOptions {
  /** Reads the YAML of the frontmatter; returns undefined if it is not YAML. */
  readonly parseYaml: (yaml: string) => unknown;
  /** Maximum tokens of heading and content together; default 500. */
  readonly maxTokens?: number;
  /** Maximum tokens of each piece of a longer section or paragraph; default `maxTokens`. */
  readonly pieceTokens?: number;
  /** Heading of a chunk without a heading; default: the file's first `#` title. */
  readonly defaultHeading?: string;
  /**
   * What to do with a lone `#` title above the first section: `drop` it (default), or `prepend` it to that section's
   * content, so that searches find it.
   */
  readonly loneTitle?: Exclude<LoneTitle, undefined>;
  /** How headings are written; default `markdown`. */
  readonly syntax?: Syntax;
  /** Which chunks have the tags and the importance of the frontmatter; default `first`. */
  readonly metadataOf?: 'first' | 'every';
}

/**
 * Cuts a markdown file into chunks (docs/specification.md, "Chunking"): one per `##` section, or one per paragraph if
 * the file has no `##` heading; more if a section or paragraph exceeds the limit. A file with more than 50,000 lines,
 * or that would have more than 5,000 chunks, is cut by size alone. Indices count from 0 without gaps. All text is kept
 * except a lone `#` title, which becomes the default heading, and paragraphs without a letter or digit. A file without
 * text has one chunk with its title, description and aliases, or none.
 */
export function chunkMarkdownFile(
  fileContent: string,
  options: ChunkingOptions,
): readonly CutChunk[] {
  return cutMarkdownFile(fileContent, options).chunks.map(({ line: _, ...chunk }, chunkIndex) => ({
    ...chunk,
    chunkIndex,
  }));
}

interface CutFile {
  readonly chunks: readonly PlacedChunk[];
  readonly names: SourceNames;
}

/** A chunk and the line of the file on which it begins, counted from 1. */
interface PlacedChunk extends Omit<CutChunk, 'chunkIndex'> {
  readonly line: number;
}

/** Like `chunkMarkdownFile`, with the line of each chunk instead of its index, and with the names of the file. */
export function cutMarkdownFile(fileContent: string, options: ChunkingOptions): CutFile {
  const { pieces, metadataOf, names, bodyLine } = cut(fileContent, options);
  const chunks = pieces.map(({ at, ...piece }, chunkIndex) => ({
    ...piece,
    line: bodyLine + at,
    ...metadataOf(chunkIndex),
  }));
  return { chunks, names };
}

function cut(fileContent: string, options: ChunkingOptions) {
  const { yaml, body } = splitFrontmatter(fileContent);
  const { title, aliases, description, ...metadata } =
    yaml === undefined ? {} : parseMetadata(yaml, options.parseYaml);
  const text = withoutPictures(body);
  const beginning = firstLines(text, SOURCE_MAX_LINES);
  const lines = LINES[options.syntax ?? 'markdown'](beginning);
  const firstHeading = findTitle(lines);
  const heading = options.defaultHeading ?? firstHeading;
  const blocks = beginning === text ? splitBlocks(lines, options.loneTitle) : undefined;
  const cutPieces =
    (blocks && fitBlocks(blocks, { ...options, heading })) ?? cutBySize(text, { heading, lines });
  const { maxTokens = CHUNK_MAX_TOKENS } = options;
  const named = [title, firstHeading, description, ...(aliases ?? [])].filter(
    (name) => name !== undefined,
  );
  const linesAt = Math.max(
    0,
    lines.findIndex(({ headingLevel }) => headingLevel > 0),
  );
  const pieces =
    cutPieces.length > 0
      ? cutPieces
      : namePieces(named, { heading: heading ?? title, linesAt, maxTokens });
  const isEvery = options.metadataOf === 'every';
  return {
    pieces,
    names: { title: title ?? firstHeading, aliases, description },
    metadataOf: (chunkIndex: number) => (isEvery || chunkIndex === 0 ? metadata : {}),
    bodyLine: countLines(fileContent.slice(0, fileContent.length - body.length)),
  };
}

/** The only chunk of a file that has no text but its names. */
function namePieces(
  names: readonly string[],
  {
    heading,
    linesAt,
    maxTokens,
  }: Pick<Block, 'heading' | 'linesAt'> & Pick<PieceSizes, 'maxTokens'>,
): readonly Piece[] {
  if (names.length === 0) return [];
  const content = [...new Set(names)].join('\n');
  const lines = [{ text: content, headingLevel: 0, verbatim: true }];
  return fitBlock({ heading, lines, linesAt }, { maxTokens });
}

const LINES: Readonly<Record<Syntax, (text: string) => readonly Line[]>> = {
  markdown: (text) => readable(withoutComments(parseLines(text), COMMENTS_OF_MARKDOWN), text),
  mdx: (text) => readable(withoutComments(parseLines(text, 'expression'), COMMENTS_OF_MDX), text),
  conversation: (text) => readable(parseLines(text), text),
  'restructured-text': (text) => restructureLines([...splitLines(text)]),
  asciidoc: (text) => asciidocLines([...splitLines(text)]),
  plain: (text) => plainLines([...splitLines(text)]),
};

function readable(lines: readonly Line[], text: string): readonly Line[] {
  return text.includes('&') ? lines.map(withoutReferences) : lines;
}

/** The first lines of a text; the whole text if it has no more. */
function firstLines(text: string, count: number): string {
  // Most texts have fewer characters than this.
  if (text.length < count) return text;
  let lines = 1;
  for (const { index } of text.matchAll(/\r\n|\r|\n/g)) {
    if (lines === count) return text.slice(0, index);
    lines += 1;
  }
  return text;
}

interface Beginning {
  readonly heading: string | undefined;
  /** At most {@link SOURCE_MAX_LINES} of the text. */
  readonly lines: readonly Line[];
}

/** No pieces if the text has no letter or digit. */
function cutBySize(text: string, { heading, lines }: Beginning): readonly Piece[] {
  if (!hasLetterOrDigit(text)) return [];
  const isWhole = lines.length < SOURCE_MAX_LINES;
  const whole = text.replace(/\r\n?/g, '\n');
  const all = isWhole ? lines : [{ text: whole, headingLevel: 0, verbatim: true }];
  return fitBlock({ heading, lines: all, linesAt: 0 }, { maxTokens: CHUNK_MAX_TOKENS });
}

function countLines(text: string): number {
  return text.split(/\r\n|\r|\n/).length;
}

/** Removes the data of inlined pictures, which is useless for search. */
function withoutPictures(text: string): string {
  return text.replace(DATA_URI, '');
}

/** Longer than 200 characters. */
const DATA_URI = /\bdata:(?=[^\s()<>"']{196})[^\s,()<>"']{0,100},[^\s()<>"']+/gi;

interface FitRules extends Partial<PieceSizes> {
  /** Heading of blocks without their own. */
  readonly heading: string | undefined;
}

/** Undefined if there are too many pieces. Every block makes at least one. */
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
