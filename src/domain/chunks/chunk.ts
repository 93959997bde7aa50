import type { Citation } from '../citations/citation.js';
import { EMBEDDED_MAX_CHARACTERS } from '../limits.js';
import { takeHead } from '../text.js';
import type { SourceNames } from './source-names.js';

/** The source type of a chunk (docs/specification.md, "Source types"). */
export const SOURCE_TYPES = [
  'file',
  'reflection',
  'agent_output',
  'url',
  'manual',
  'generated',
] as const;

export type SourceType = (typeof SOURCE_TYPES)[number];

/** One piece of a project's knowledge: a row of the table `chunks` (docs/specification.md, "Database"). */
export interface Chunk {
  readonly id: string;
  readonly sourceType: SourceType;
  /** Relative to the project, with `/` on every platform. */
  readonly sourceFile: string;
  readonly projectPath: string;
  /** Position within its source, from 0. */
  readonly chunkIndex: number;
  readonly heading?: string;
  readonly content: string;
  /** Absent if there are none. */
  readonly tags?: readonly string[];
  readonly importance: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** A chunk cut from a file, without an id (docs/specification.md, "Chunking"). */
export interface CutChunk {
  readonly heading?: string;
  readonly content: string;
  readonly chunkIndex: number;
  readonly tags?: readonly string[];
  readonly importance?: number;
  /** Files cited in the frontmatter. */
  readonly cites?: readonly string[];
}

/** A chunk as the library's chunker returns it (docs/specification.md, "Chunking"). */
export interface MemoryChunk extends Omit<CutChunk, 'tags' | 'cites'> {
  readonly tags: readonly string[];
}

/** The chunks of one source file, ready to be indexed. */
export interface SourceDocument {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  /** Equal hashes mean equal chunks: such a source is skipped. */
  readonly contentHash: string;
  /** The previous path of the source, if its file was only moved. */
  readonly movedFrom?: string | undefined;
  /** Whether kept chunks keep their citations or take those in the document; default `kept`. */
  readonly citations?: 'kept' | 'renewed';
  /** The title, aliases and description of the file; the words of its path count as well. */
  readonly names?: SourceNames | undefined;
  /** The source file that this one supersedes, according to its frontmatter. */
  readonly supersedes?: string | undefined;
  /**
   * The day from which searches leave out its chunks, `YYYY-MM-DD`; absent if they never expire.
   */
  readonly expires?: string | undefined;
  readonly chunks: readonly DraftChunk[];
}

/** A chunk of a source document; its index is its place in the list. */
export interface DraftChunk extends Omit<CutChunk, 'chunkIndex'> {
  readonly importance: number;
  /** The line of the file on which it begins, counted from 1; absent if unknown. */
  readonly line?: number;
  /** When its text was created, ISO 8601; default: when it is first indexed. */
  readonly createdAt?: string;
  /** The project files that it cites, in their current state; absent if there are none. */
  readonly citations?: readonly Citation[];
}

/** `<sourceFile>#<chunkIndex>` (docs/specification.md, "Chunks and sources"). */
export function chunkId(sourceFile: string, chunkIndex: number): string {
  return `${sourceFile}#${chunkIndex}`;
}

/** The source file in a chunk id. */
export function sourceOfId(id: string): string {
  return id.slice(0, id.lastIndexOf('#'));
}

/**
 * The text to embed for a chunk: heading, newline and content, or only the content if there is no heading. A very long
 * text is cut.
 */
export function embeddingText(chunk: {
  readonly heading?: string | null;
  readonly content: string;
}): string {
  const { heading, content } = chunk;
  const text = typeof heading === 'string' ? `${heading}\n${content}` : content;
  return takeHead(text, EMBEDDED_MAX_CHARACTERS);
}
